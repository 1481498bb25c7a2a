import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import type { JestResults } from './results.ts';

const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');

/** Runs these files of `testing/` one after the other, in one process. */
const runFiles = (
  pattern: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
) =>
  spawnSync(
    process.execPath,
    [JEST, '--runInBand', '--json', '--testMatch', `<rootDir>/src/testing/${pattern}`, ...args],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      encoding: 'utf8',
      env: { ...process.env, ...env },
      timeout: 60_000,
    },
  );

let results: JestResults;
beforeAll(() => {
  results = JSON.parse(runFiles('*.example.ts').stdout) as JestResults;
});

const titles = (status: string): string[] =>
  results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => test.status === status)
    .map(({ fullName }) => fullName)
    .sort();

it('gives each test file a clean process state, whatever earlier files left behind', () => {
  expect(titles('passed')).toEqual([
    'finds the process clean',
    'finds the process clean',
    'has the timeout of the configuration, not that of another file',
    'leaves a mess',
    'leaves a mess',
  ]);
});

it('shows a failure at its line of the TypeScript source', () => {
  expect(titles('failed')).toEqual(['fails at line 11']);
  expect(results.testResults.map(({ message }) => message).join('\n')).toMatch(
    /src\/testing\/first\.example\.ts:11:\d+/,
  );
});

it.each([
  ['closes what a test file opened at its top level, if a title selects no test of it', ['-t', 'nothing']],
  ['closes it once if a test ran', []],
])('%s', (_case, args) => {
  expect(runFiles('opens-at-top.ts', {}, args).stderr.match(/^closed$/gm)).toEqual(['closed']);
});

it('kills a process that stops responding, and names the test file', () => {
  const { signal, stderr } = runFiles('blocked.ts', { BLOCKED_TEST_SECONDS: '2' });
  expect(signal).toBe('SIGKILL');
  expect(stderr).toMatch(/src\/testing\/blocked\.ts: the process has not answered for 2 s, and is killed\n/);
});
