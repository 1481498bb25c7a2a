#!/usr/bin/env node
// Compares the tables of identity providers in the documents with docs/reference/identity-providers.json; --write makes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'docs/reference/identity-providers.md'];
const BEGIN =
  '<!-- identity providers: made by `npm run documents` from docs/reference/identity-providers.json -->';
const END = '<!-- end of identity providers -->';

/** What `tested` says in the tables */
const TESTED = { fixtures: 'no; against recorded answers' };

const { providers } = JSON.parse(readFileSync(join(ROOT, 'docs/reference/identity-providers.json'), 'utf8'));
const stale = PAGES.filter((page) => {
  const path = join(ROOT, page);
  const text = readFileSync(path, 'utf8');
  const [before, rest] = split(text, BEGIN, page);
  const [, after] = split(rest, END, page);
  const made = `${before}${BEGIN}\n\n${tableFor(page)}\n\n${END}${after}`;
  if (made === text) return false;
  if (process.argv.includes('--write')) writeFileSync(path, made);
  else process.stderr.write(`${page}: the identity providers are out of date: npm run documents\n`);
  return true;
});
process.exitCode = stale.length > 0 && !process.argv.includes('--write') ? 1 : 0;

function split(text, separator, page) {
  const [before, after, more] = text.split(separator);
  if (after === undefined || more !== undefined)
    throw new Error(`${page} must have this line once: ${separator}`);
  return [before, after];
}

function tableFor(page) {
  const rows = providers.map(
    ({ name, issues, tested, sources }) =>
      `| ${name} | ${issues} | ${TESTED[tested] ?? tested} | ${sources.map((source) => linkTo(source, page)).join('; ')} |`,
  );
  return [
    '| Provider | Issues ID-JAGs | Tested by us | Source, read on |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function linkTo({ title, url, path, read }, page) {
  const target = url ?? (path && relative(dirname(page), path));
  return `${target ? `[${title}](${target})` : title}, ${read}`;
}
