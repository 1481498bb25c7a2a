#!/usr/bin/env node
// Fails where the code of a service or of the delegation contains the name of an identity provider: differences between
// providers are data in packages/identity-providers. Comments, tests and sentences may name them.
// check.mjs [--root FOLDER]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listFiles } from '../list-files.mjs';
import { parse, walk } from '../timing/syntax.mjs';

const CHECKED = /^(apps\/(tool-hub|management-api)|packages\/delegation)\/src\/.*(?<!\.test)\.ts$/;
const NOT_CHECKED = /\/testing\//;
const KINDS = 'packages/identity-providers/src/kinds.ts';
/** Names of vendors that are not the name of a kind */
const VENDORS = ['microsoft', 'azure'];

const { values: options } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '../..') } },
});
const read = (file) => parse(readFileSync(join(options.root, file), 'utf8'));
const names = new Set([...kindNames(read(KINDS)), ...VENDORS]);
names.delete('generic');

const faults = listFiles(options.root)
  .filter((file) => CHECKED.test(file) && !NOT_CHECKED.test(file))
  .flatMap((file) => {
    const source = read(file);
    const found = [];
    walk(source.tree, (node) => {
      const name = wordsOf(node).find((word) => names.has(word));
      if (name)
        found.push(`${file}:${source.lineOf(node)}: names ${name}: move the difference into ${KINDS}`);
    });
    return found;
  });
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** @returns the keys of the table of kinds */
function kindNames({ tree }) {
  const found = [];
  walk(tree, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.value !== 'KINDS') return true;
    let table = node.init;
    while (table.expression) table = table.expression;
    found.push(...table.properties.map(({ key }) => key.value));
    return false;
  });
  if (found.length === 0) throw new Error(`${KINDS} has no table KINDS`);
  return found;
}

/** @returns the words of a name, or of a text that is not a sentence, in lower case */
function wordsOf(node) {
  const text = textOf(node);
  if (text === undefined || /\s/.test(text)) return [];
  return text.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|[^\p{L}\d]+/u).map((word) => word.toLowerCase());
}

function textOf(node) {
  switch (node.type) {
    case 'Identifier':
    case 'StringLiteral':
      return node.value;
    case 'TemplateElement':
      return node.raw;
    case 'RegExpLiteral':
      return node.pattern;
    default:
      return undefined;
  }
}
