import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { type Page, readPage } from './blocks.ts';
import { castOf, writeScene } from './cast.ts';
import { runDemo } from './run-demo.ts';
import { runPages } from './run-page.ts';

/**
 * Number of blocks that are not run. Lower it when you fix one; a new one needs a good reason, and a review of this
 * line.
 */
const LEFT_OUT = 41;

const { it } = needs('time', 'jq', 'curl', 'openssl');

const paths = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const pages = paths.map((path) => readPage(path, readFileSync(`${ROOT}${path}`, 'utf8')));
const withCommands = pages.filter(({ blocks }) => blocks.some(({ mark }) => !mark.skip));
const isAfterDemo = ({ after }: Page): boolean => after === 'npm start';
/** The cast of each document, except documents that readers run after the demo: these have the demo's people. */
const casts = new Map(
  withCommands
    .filter((page) => !isAfterDemo(page))
    .map(({ path }, index) => [path, castOf(index + 1)] as const),
);

let folder: string;
let stack: StackUnderTest;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'legate-scene-'));
  stack = await startStackUnderTest({ env: writeScene(folder, [...casts.values()]) });
  await runDemo(stack.ports);
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const addresses = () => ({
  'localhost:4000': new URL(stack.urls['management-api']).host,
  'localhost:4001': new URL(stack.urls['tool-hub']).host,
  'localhost:4002': new URL(stack.urls['mock-idp']).host,
  'localhost:4003': new URL(stack.urls['reference-mcp-server']).host,
});

/** Documents whose commands must run first, followed by this one */
function chain(page: Page): Page[] {
  if (page.after === undefined || isAfterDemo(page)) return [page];
  const before = pages.find(({ path }) => path === join(page.path, '..', page.after ?? ''));
  if (!before) throw new Error(`${page.path}: after="${page.after}" is no document`);
  return [...chain(before), page];
}

it.each(withCommands.map((page) => [page.path, page] as const))(
  '%s: its commands work, and write what it shows',
  async (path, page) => {
    await runPages(chain(page), addresses(), casts.get(path) ?? castOf(''));
  },
);

const block = (commands: string, mark = '') => `${mark}\n\`\`\`sh\n${commands}\n\`\`\`\n`;
const runMarkdown = (markdown: string) =>
  runPages([readPage('test.md', `# Test\n\n${markdown}`)], addresses(), castOf(''));
const ANSWERED = 'curl -s http://localhost:4001/.well-known/oauth-authorization-server';
const NOT_FOUND = 'curl -s http://localhost:4001/api/v1/no-such-path';
const REFUSED = '<!-- doctest: refused -->';

it.each([
  ['an address that nobody serves', block(`${NOT_FOUND} | jq .`), 'an answer of 400 or more'],
  ['a request that is not refused', block(ANSWERED, REFUSED), 'every answer was below 400'],
  ['another machine', block('curl -s https://hub.example'), 'reach nothing but this machine'],
  ['a selection without tests', block('npm test -- no-such-part'), 'No workspace and no test file matches'],
  [
    'an output that differs',
    `${block(ANSWERED)}\n<!-- doctest: output -->\n\`\`\`json\n{"issuer":"another"}\n\`\`\`\n`,
    'writes something else',
  ],
])('fails for %s, and explains the fix', async (_case, markdown, message) => {
  const failed = runMarkdown(markdown);
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.toThrow('<!-- doctest: skip reason="docker" -->');
});

/** Places in which bash ignores that a command fails, even with `set -euo pipefail` */
const IGNORED: readonly ((curl: string) => string)[] = [
  (curl) => `export ANSWER=$(${curl})`,
  (curl) => `echo "$(${curl})"`,
  (curl) => `ask() { local answer=$(${curl}); }\nask`,
  (curl) => `${curl} &`,
  (curl) => `${curl} || true`,
  (curl) => `if ${curl}; then echo answered; fi`,
  (curl) => `cat <(${curl})`,
  (curl) => `head -c 1 <(${curl})`,
];

it.each(IGNORED.map((place) => [place('curl …'), place] as const))(
  'fails for a failed curl in `%s`',
  async (_shown, place) => {
    const nobody = `curl -s http://localhost:${await findFreePort()}/`;
    await runMarkdown(block(place(ANSWERED)));
    await runMarkdown(block(place(NOT_FOUND), REFUSED));
    await expect(runMarkdown(block(place(NOT_FOUND)))).rejects.toThrow('no-such-path ended with 22');
    await expect(runMarkdown(block(place(nobody)))).rejects.toThrow('/ ended with 7');
  },
);

it('does not leave out more blocks than before', () => {
  const leftOut = pages.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ line, mark }) => (mark.skip ? [`${mark.skip}: ${path}:${line}`] : [])),
  );
  process.stdout.write(`${leftOut.length} blocks of the documents are not run.\n`);
  expect(leftOut.sort().slice(LEFT_OUT)).toEqual([]);
});
