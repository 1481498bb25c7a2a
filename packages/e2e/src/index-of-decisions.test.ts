import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const FOLDER = fileURLToPath(new URL('../../../docs/adr/', import.meta.url));
const FILES = readdirSync(FOLDER)
  .filter((name) => /^\d/.test(name))
  .sort();
const SECTIONS = ['Context', 'Decision', 'Consequences'];
/** One page */
const MAX_WORDS = 380;

it.each(FILES)('%s has its number, a title and the sections of a decision', (name) => {
  const lines = readFileSync(`${FOLDER}${name}`, 'utf8').split('\n');
  expect(lines[0]).toMatch(new RegExp(`^# ${name.slice(0, 4)}: [A-Z] ?\\S.*[^.]$`));
  const sections = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
  expect(sections).toEqual(SECTIONS);
});

it.each(FILES)('%s fits on one page', (name) => {
  const words = readFileSync(`${FOLDER}${name}`, 'utf8').trim().split(/\s+/);
  expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
});

it('uses no number twice', () => {
  const numbers = FILES.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
});

it('docs/adr/README.md lists every decision by its title, in order, each with a summary', () => {
  const rows = readFileSync(`${FOLDER}README.md`, 'utf8')
    .split('\n')
    .filter((line) => /^\| \d/.test(line));
  const listed = rows.map((row) => row.split(' | ').slice(0, 2).join(' | '));
  const expected = FILES.map((name) => {
    const [title = ''] = readFileSync(`${FOLDER}${name}`, 'utf8').split('\n');
    return `| ${name.slice(0, 4)} | [${title.slice('# 0000: '.length)}](${name})`;
  });
  expect(listed).toEqual(expected);
  const silent = rows.filter((row) => !/ \| \S[^|]{20,}\. \|$/.test(row));
  expect(silent).toEqual([]);
});
