import { count, number } from '../../intl/format.ts';

export const common = {
  cancel: 'Cancel',
  clearFilters: 'Clear filters',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  copyId: (id: string) => `Copy ${id}`,
  done: 'Done',
  dot: ' · ',
  ellipsis: '…',
  find: 'Find',
  findByName: 'Find by name',
  listed: (listed: number, total: number) => `${number(listed)} of ${number(total)} are listed`,
  loading: 'Loading',
  messages: 'Messages',
  more: 'More',
  none: 'None',
  nameDiffers: 'This is not the name above.',
  nothingMatches: 'Nothing matches.',
  optional: 'optional',
  readDocs: 'Read the documentation',
  save: 'Save',
  reading: 'It is still loading.',
  shownOnce: 'Copy it now: it is shown only once',
  typeName: 'Type the name above',
  undo: 'Undo',
  writeOnly: 'Write-only: once saved, it cannot be read, neither here nor through the API.',
};

export const table = {
  pages: 'Pages',
  range: (first: number, last: number, total: number) =>
    total === 0 ? 'None' : `${number(first)}–${number(last)} of ${number(total)}`,
  previous: 'Previous page',
  next: 'Next page',
};

export const chart = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  bar: (label: string, parts: readonly (readonly [string, number])[]) =>
    `${label}: ${parts.map(([name, value]) => `${number(value)} ${name}`).join(', ')}`,
};

export const json = {
  items: (length: number) => `[ ${count(length, 'item', 'items')} ]`,
  members: (length: number) => `{ ${count(length, 'member', 'members')} }`,
  more: (length: number) => `Show ${number(length)} more`,
};

export const untrusted = {
  from: (who: string) => `${who}:`,
  toolServer: 'From the tool server',
  application: 'From the application',
  hidden: (characters: number) => `Contains ${count(characters, 'hidden character', 'hidden characters')}.`,
  showAll: 'Show all',
  copyAll: 'Copy all',
  aTool: 'a tool',
  quoted: (text: string) => `“${text}”`,
};

export const keyboard = {
  title: 'Keyboard',
  slash: '/',
  palette: 'Search or jump to anything',
  goTo: (page: string) => `Go to ${page}`,
  filter: 'Move the focus to the filter of the page',
  nextRow: 'Next row',
  previousRow: 'Previous row',
  open: 'Open the row',
  pause: 'Pause or resume a live list',
  close: 'Close what is open',
  help: 'Show this list',
  off: 'You can turn off single-key shortcuts on the page Me, under Preferences.',
  paletteKeys: ['Ctrl', 'K'],
};
