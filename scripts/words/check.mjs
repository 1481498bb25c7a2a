#!/usr/bin/env node
// Fails where a file of the repository has one of the words below: prints each place, and what to write instead.
// check.mjs [--root FOLDER]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listFiles } from '../list-files.mjs';

const CODE = /\.[cm]?[jt]sx?$/;

/** First words of a doc comment that does not say what the thing is: prepositions, conjunctions, adverbs, pronouns */
const FRAGMENTS = [
  'Above About After As At Before Behind Below Beside Besides Between By For From In Like Of On Over Per Since To Under',
  'Unlike Until With Within Without And But If Or So Whatever When Whether While Also Else Instead Neither Not Only Too',
  'Both Its Such That Their There These Those Told Which Whom Whose',
]
  .flatMap((line) => line.split(' '))
  .concat('The same');

/**
 * Words and phrases that readers stumble over. `words` match as whole words in any case, `pattern` matches as it is; `files`
 * limits a rule to some files. To refuse another word, add it here.
 */
const REFUSED = [
  {
    words: ['he', 'his', 'him', 'himself', 'she', 'her', 'hers', 'herself'],
    instead: '"they", "their", or a noun',
  },
  // An old name in the changelog stays.
  { words: ['door', 'doors'], files: /^(?!CHANGELOG\.md$)/, instead: 'the path, or "endpoint"' },
  { words: ['luggage'], instead: '"header", or what is in it' },
  { words: ['mend', 'mends', 'mended'], instead: '"fix"' },
  { words: ['whoever', 'whomever'], files: CODE, instead: 'a noun: "a client that", "anyone who"' },
  {
    pattern: new RegExp(`(?<=/\\*\\*\\s+(?:\\* )?)(?:${FRAGMENTS.join('|')})\\b`, 'gu'),
    files: CODE,
    instead: 'a verb, or a noun with what the thing is: "Returns …", "The token that …"',
  },
];

/** Files that are not read: not written by us, or about the words themselves. */
const NOT_CHECKED = ['package-lock.json', 'scripts/words/check.mjs', 'packages/e2e/src/house-words.test.ts'];

const { values: options } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '../..') } },
});
const rules = REFUSED.map(({ words, pattern, files, instead }) => ({
  pattern: pattern ?? new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'giu'),
  files,
  instead,
}));
const faults = listFiles(options.root)
  .filter((file) => !NOT_CHECKED.includes(file))
  .flatMap(checkFile);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function checkFile(file) {
  const text = readFileSync(join(options.root, file), 'utf8');
  if (text.includes('\0')) return []; // binary
  return rules
    .filter(({ files }) => files?.test(file) ?? true)
    .flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ word, line: lineAt(text, index), instead })),
    )
    .sort((one, other) => one.line - other.line)
    .map(({ word, line, instead }) => `${file}:${line}: "${word}": write ${instead}`);
}

function lineAt(text, index) {
  return text.slice(0, index).split('\n').length;
}
