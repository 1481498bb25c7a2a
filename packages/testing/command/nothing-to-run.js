import { closest } from './closest.js';

/** The faults of the arguments, as lines of text for people */
export class NothingToRun extends Error {
  name = 'NothingToRun';
}

/** @returns the message about workspaces without tests */
export function hasNone(selection, { unit, words }) {
  const what = unit ? 'unit tests' : 'tests';
  return `No ${what} in ${searched(selection)}. Those of what depends on it: npm test -- --dependents ${words[0]}`;
}

/** @returns the message about a word that selects nothing */
export function notFound(word, workspaces, { unit, flag }) {
  const files = workspaces.flatMap((workspace) => workspace.files).length;
  const near = closest(word, candidates(workspaces));
  return [
    `No workspace and no test file matches "${word}".`,
    `Searched: the names and folders of ${workspaces.length} workspaces, and the paths of ${files} files of ${unit ? 'unit tests' : 'tests'}.`,
    near.length > 0
      ? `Closest: ${near.join(', ')}`
      : `The workspaces: ${workspaces.map(({ folder }) => baseOf(folder)).join(', ')}`,
    ...(flag ? [`If it is the value of ${flag}, write ${flag}=${word}`] : []),
    'What can be selected: npm test -- --help',
  ].join('\n');
}

export const searched = (workspaces) =>
  workspaces.length > 3
    ? `${workspaces.length} workspaces`
    : workspaces.map(({ folder }) => folder).join(', ');

const baseOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/** Candidates for suggestions: workspaces, folders and test files, by their paths and by the ends of the paths */
function candidates(workspaces) {
  const found = new Set(workspaces.map(({ folder }) => baseOf(folder)));
  for (const { folder, files } of workspaces) {
    found.add(folder);
    for (const file of files) {
      const folderOfFile = file.slice(0, file.lastIndexOf('/'));
      const stem = baseOf(file).replace(/(\.int)?\.test\.ts$/, '');
      const withoutRoot = folderOfFile.slice(folderOfFile.indexOf('/') + 1);
      for (const each of [file, folderOfFile, withoutRoot, baseOf(folderOfFile), stem]) found.add(each);
    }
  }
  found.delete('src');
  return [...found];
}
