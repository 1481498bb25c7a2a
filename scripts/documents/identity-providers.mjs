#!/usr/bin/env node
// Compares the tables of identity providers in the documents with docs/reference/identity-providers.json and with the table of
// kinds; --write makes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { compile } from '../../packages/testing/jest/compile.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'docs/reference/identity-providers.md'];
const END = '<!-- end of identity providers -->';
const BEGIN =
  '<!-- identity providers: made by `npm run documents` from docs/reference/identity-providers.json -->';

const KINDS_PAGE = 'docs/reference/identity-providers.md';
const KINDS_SOURCE = 'packages/identity-providers/src/kinds.ts';
const KINDS_BEGIN = `<!-- kinds: made by \`npm run documents\` from ${KINDS_SOURCE} -->`;
const KINDS_END = '<!-- end of kinds -->';

/** What `tested` says in the tables */
const TESTED = { fixtures: 'no; against recorded answers' };

const { providers } = JSON.parse(readFileSync(join(ROOT, 'docs/reference/identity-providers.json'), 'utf8'));
const { KINDS } = await importKinds();

const unknown = providers.filter(({ kind }) => !Object.hasOwn(KINDS, kind));
if (unknown.length > 0) throw new Error(`no such kind: ${unknown.map(({ kind }) => kind).join(', ')}`);

const isStale = [
  ...PAGES.map((page) => renew(page, BEGIN, END, providersOn(page))),
  renew(KINDS_PAGE, KINDS_BEGIN, KINDS_END, kinds()),
].includes(true);
process.exitCode = isStale && !process.argv.includes('--write') ? 1 : 0;

/** Replaces what is between two lines of a page, or reports that it differs. @returns true if it differs */
function renew(page, begin, end, table) {
  const path = join(ROOT, page);
  const text = readFileSync(path, 'utf8');
  const [before, rest] = split(text, begin, page);
  const [, after] = split(rest, end, page);
  const made = `${before}${begin}\n\n${table}\n\n${end}${after}`;
  if (made === text) return false;
  if (process.argv.includes('--write')) writeFileSync(path, made);
  else process.stderr.write(`${page}: the identity providers are out of date: npm run documents\n`);
  return true;
}

function split(text, separator, page) {
  const [before, after, more] = text.split(separator);
  if (after === undefined || more !== undefined)
    throw new Error(`${page} must have this line once: ${separator}`);
  return [before, after];
}

function providersOn(page) {
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

function kinds() {
  const rows = Object.entries(KINDS).map(([name, kind]) =>
    [
      `\`${name}\``,
      kind.title,
      kind.exampleIssuer ? `\`${kind.exampleIssuer}\`` : 'any',
      kind.idJagSubject?.replace('_', ' ').replace('id', 'ID') ?? '–',
      kind.exchange ? `\`${kind.exchange}\`` : '–',
      kind.assertionAlgorithms.length > 0 ? kind.assertionAudience.replace('_', ' ') : '–',
      kind.assertionAlgorithms.join(', ') || '–',
      `\`${kind.userClaim}\`, \`${kind.accessTokenUserClaim}\``,
      kind.organizationClaim ? `\`${kind.organizationClaim}\`` : 'by a rule',
      kind.accessTokenTypes.map((type) => (type === 'absent' ? 'none' : `\`${type}\``)).join(', '),
    ].join(' | '),
  );
  return [
    "| `IDP_KIND` | Provider | Issuer, such as | Exchanges for ID-JAGs | Exchanges access tokens by | `aud` of the hub's assertions | Their algorithms | User in ID tokens, access tokens | Organization | `typ` of access tokens |",
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Compiles the table, which imports nothing: lint runs before the build. */
async function importKinds() {
  const { code } = compile(join(ROOT, KINDS_SOURCE));
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
