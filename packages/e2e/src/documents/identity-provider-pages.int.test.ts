import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ROOT, startService } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { needs, START_UP_MS } from '@legate/testing';
import { readCode } from './blocks.ts';

/**
 * Starts the hub with the settings of each page of an identity provider, as an administrator would who has only that
 * page: its env-file, and its connector or that of the README. Only addresses and paths are those of this machine.
 */

const { it } = needs('time', 'openssl', 'jq');

const FOLDER = 'docs/how-to/identity-providers/';
const PAGES = execFileSync('git', ['ls-files', `${FOLDER}*.md`], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((path) => path.slice(FOLDER.length))
  .filter((name) => name !== 'README.md');

const blocksOf = (name: string, language: string): string[] =>
  readCode(readFileSync(`${ROOT}${FOLDER}${name}`, 'utf8'), [language]).map(({ text }) => text);

/** Parses an env-file as `docker run --env-file` does: lines with `#` first are comments, and values are literal. */
const literal = (file: string): Record<string, string> =>
  Object.fromEntries(
    file
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-pages-'));
  writeFileSync(join(folder, 'idp-client-secret'), 'a-secret-of-this-test\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces what depends on the machine, and writes the files that the settings name. */
function onThisMachine(name: string, settings: Record<string, string>, port: number): Record<string, string> {
  const [makeKey = ''] = [...blocksOf(name, 'bash'), ...blocksOf('README.md', 'bash')];
  execFileSync('bash', ['-euc', makeKey], { cwd: folder, stdio: 'pipe' });
  const [connectors = ''] = [...blocksOf(name, 'json'), ...blocksOf('README.md', 'json')];
  writeFileSync(join(folder, 'connectors.json'), connectors);
  const local = Object.entries(settings).map(([setting, value]) => {
    if (setting.endsWith('_FILE')) return [setting, join(folder, value.slice(value.lastIndexOf('/') + 1))];
    if (setting === 'PUBLIC_URL') return [setting, `http://localhost:${port}`];
    // Nobody listens there: the hub needs the provider only when somebody signs in.
    if (setting === 'IDP_ISSUER')
      return [setting, value.replace(new URL(value).origin, 'http://localhost:9')];
    return [setting, value];
  });
  return { ...Object.fromEntries(local), PORT: String(port), NOTES_CLIENT_SECRET: 'another-secret' };
}

it.each(PAGES)('%s: the hub starts with its settings', async (name) => {
  const [file = '', ...more] = blocksOf(name, 'ini');
  expect(more).toEqual([]);
  const settings = literal(file);
  // Node.js 24 takes a comment with `=` in the last line for a setting, which harms nothing.
  expect(parseEnv(file)).toMatchObject(settings);
  const port = await findFreePort();
  const hub = startService('tool-hub', onThisMachine(name, settings, port), join(folder, `${name}.log`));
  try {
    await hub.waitUntilReady(`http://localhost:${port}`, START_UP_MS);
  } finally {
    expect(await hub.stop()).toBe(0);
  }
});

it.each(['README.md', 'entra-id.md'])('%s: nobody else on the machine can read the private key', (name) => {
  const [makeKey = ''] = blocksOf(name, 'bash');
  // A file that is there keeps its mode.
  rmSync(join(folder, 'idp-client-keys.json'), { force: true });
  execFileSync('bash', ['-euc', `umask 022; ${makeKey}`], { cwd: folder, stdio: 'pipe' });
  const mode = execFileSync('stat', ['-c', '%a', 'idp-client-keys.json'], { cwd: folder, encoding: 'utf8' });
  expect(mode.trim()).toBe('600');
});
