import { expect, it } from '@jest/globals';
import { type Line, type Part, textOf } from './output.ts';
import { table } from './table.ts';

const HEADINGS = ['ID', 'WHAT IT DOES', 'URL'];
const ROWS = [
  ['con_notes', 'Keeps notes, lists them and deletes them', 'https://notes.example'],
  ['con_2', 'Short', 'https://two.example'],
];
const textsOf = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    [line]
      .flat()
      .map((part) => textOf(part as Part))
      .join('')
      .trimEnd(),
  );
const tableIn = (width: number, prose = 'WHAT IT DOES') => textsOf(table(HEADINGS, ROWS, { width, prose }));

it('has a line for each row if all columns fit', () => {
  const lines = [
    'ID         WHAT IT DOES                              URL',
    'con_notes  Keeps notes, lists them and deletes them  https://notes.example',
    'con_2      Short                                     https://two.example',
  ];
  expect(tableIn(74)).toEqual(lines);
  expect(tableIn(Number.POSITIVE_INFINITY)).toEqual(lines);
});

it('wraps the column of prose, and truncates it after three lines', () => {
  expect(tableIn(60)).toEqual([
    'ID         WHAT IT DOES                URL',
    'con_notes  Keeps notes, lists them     https://notes.example',
    '           and deletes them',
    'con_2      Short                       https://two.example',
  ]);
  expect(tableIn(46)).toEqual([
    'ID         WHAT IT DOES  URL',
    'con_notes  Keeps notes,  https://notes.example',
    '           lists them',
    '           and deletes…',
    'con_2      Short         https://two.example',
  ]);
});

it.each([
  ['the column of prose would become too narrow', 45, 'WHAT IT DOES'],
  ['no column may be wrapped', 60, 'none'],
])('shows each row as a record if %s', (_case, width, prose) => {
  expect(tableIn(width, prose)).toEqual([
    'id            con_notes',
    'what it does  Keeps notes, lists them and deletes them',
    'url           https://notes.example',
    '',
    'id            con_2',
    'what it does  Short',
    'url           https://two.example',
  ]);
});

it('aligns columns of characters that take two columns', () => {
  const rows = [
    ['メモ', 'a'],
    ['note', 'b'],
  ];
  expect(textsOf(table(['NAME', 'ID'], rows, { width: 80 }))).toEqual(['NAME  ID', 'メモ  a', 'note  b']);
});
