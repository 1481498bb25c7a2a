#!/usr/bin/env node
// Prints how large the repository is: the lines of code of each group, and the words of the documents.
// size.mjs [--root FOLDER]
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countLines } from './count-lines.mjs';

const GENERATED =
  /^packages\/contract\/documents\/|^packages\/client\/src\/management\/(schema|idempotent-operations)\.ts$|^apps\/console\/web\/src\/api\/hub-schema\.ts$/;

/** The groups, in the order in which they are printed. A file belongs to the first that takes it. */
const GROUPS = [
  ['generated', GENERATED],
  ['tests', /\.test\.tsx?$|^(apps|packages|examples)\/[^/]+\/.*\/testing\//],
  ['product: apps', /^apps\//],
  ['development packages', /^packages\/(bench|dev|e2e|mutation|testing|tool-server-testing)\//],
  ['product: packages', /^packages\//],
  ['examples', /^examples\//],
  ['infrastructure, scripts', /^/],
];

const { values: options } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '../..') } },
});
const code = new Map(GROUPS.map(([group]) => [group, { files: 0, size: 0 }]));
const documents = { files: 0, size: 0 };
for (const file of listFiles()) {
  const text = readFileSync(join(options.root, file), 'utf8');
  if (file.endsWith('.md')) add(documents, countWords(text));
  else addCode(file, text);
}
printTable();

function listFiles() {
  const listed = execFileSync('git', ['ls-files', '-z'], {
    cwd: options.root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return listed
    .split('\0')
    .filter(
      (file) => file !== '' && lstatSync(join(options.root, file), { throwIfNoEntry: false })?.isFile(),
    );
}

function countWords(text) {
  return text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

function addCode(file, text) {
  const [group] = GROUPS.find(([, files]) => files.test(file));
  if (file.endsWith('.json') && group !== 'generated') return; // data, and what tools read
  const lines = countLines(file, text);
  if (lines !== undefined) add(code.get(group), lines);
}

function add(total, size, files = 1) {
  total.files += files;
  total.size += size;
}

function printTable() {
  const { generated, ...written } = Object.fromEntries(code);
  const all = { files: 0, size: 0 };
  for (const { files, size } of Object.values(written)) add(all, size, files);
  printRow('lines of code', all);
  for (const [group, total] of Object.entries(written)) printRow(`  ${group}`, total);
  printRow('lines of generated code', generated);
  printRow('words of Markdown', documents);
}

function printRow(name, { files, size }) {
  process.stdout.write(`${name.padEnd(26)}${format(size).padStart(8)}  in ${format(files)} files\n`);
}

function format(number) {
  return number.toLocaleString('en');
}
