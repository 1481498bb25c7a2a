import { describe, expect, it } from '@jest/globals';
import { addUp, closingLines, isGood, type JestResults } from './results.ts';

type Outcome = [title: string, status: 'passed' | 'failed' | 'pending'];

function run(folder: string, files: Record<string, Outcome[]>, message = ''): JestResults {
  const outcomes = Object.values(files).flat();
  const count = (status: string) => outcomes.filter(([, each]) => each === status).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    testResults: Object.entries(files).map(([file, tests]) => ({
      name: `/somewhere/${folder}/src/${file}`,
      status: tests.length === 0 || tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
      message,
      startTime: 1000,
      endTime: 4000,
      assertionResults: tests.map(([fullName, status]) => ({
        fullName,
        status,
        failureMessages: status === 'failed' ? ['expected 1'] : [],
      })),
    })),
  };
}

const sumOf = (folder: string, files: Record<string, Outcome[]>, message?: string) =>
  addUp([{ folder, results: run(folder, files, message) }]);

const INSTALLS = { Redis: 'apt-get install redis-server', Chromium: 'apt-get install chromium' };

describe('a run', () => {
  it('adds up workspaces', () => {
    const sum = addUp([
      { folder: 'apps/a', results: run('apps/a', { 'x.test.ts': [['one', 'passed']] }) },
      { folder: 'packages/b', results: run('packages/b', { 'y.test.ts': [['two', 'failed']] }) },
    ]);
    expect([sum.passed, sum.failed, isGood(sum)]).toEqual([1, 1, false]);
    expect(sum.failures).toEqual(['packages/b: two\nexpected 1']);
    expect(sum.files).toEqual([
      { file: 'apps/a/src/x.test.ts', seconds: 3 },
      { file: 'packages/b/src/y.test.ts', seconds: 3 },
    ]);
  });

  it('counts a file that could not be loaded as a failure, with its message', () => {
    const sum = sumOf('apps/a', { 'x.test.ts': [] }, 'Cannot find module');
    expect([sum.failed, sum.failures]).toEqual([1, ['apps/a/src/x.test.ts\nCannot find module']]);
  });

  it('fails if no test ran', () => {
    expect(isGood(sumOf('apps/a', {}))).toBe(false);
  });

  it('fails if a test was skipped without a reason', () => {
    const sum = sumOf('apps/a', {
      'x.test.ts': [
        ['one', 'passed'],
        ['two', 'pending'],
      ],
    });
    expect(isGood(sum)).toBe(false);
    expect(closingLines(sum, INSTALLS)).toEqual([
      '1 passed, 0 failed.',
      'skipped without a reason: apps/a: two',
    ]);
  });
});

it('names a skipped test as a run does in which the test is not skipped', () => {
  const without = sumOf('apps/a', {
    'x.test.ts': [['in a store [left out: Redis] keeps [left out: Redis]', 'pending']],
  });
  const having = sumOf('apps/a', { 'x.test.ts': [['in a store keeps', 'passed']] });
  expect(without.skipped.map(({ name }) => name)).toEqual(having.ran);
});

it('ends with the number of skipped tests per missing program, and how to install it', () => {
  const sum = sumOf('apps/a', {
    'x.test.ts': [
      ['one', 'passed'],
      ['in a store [left out: Redis] keeps', 'pending'],
      ['in a store [left out: Redis] deletes', 'pending'],
    ],
    'y.test.ts': [['signs in [left out: Chromium, Redis]', 'pending']],
  });
  expect(isGood(sum)).toBe(true);
  expect(closingLines(sum, INSTALLS)).toEqual([
    '1 passed, 0 failed. Left out on this machine:',
    '  Chromium, Redis    1 test, 1 file       apt-get install chromium; apt-get install redis-server',
    '  Redis              2 tests, 1 file      apt-get install redis-server',
    '`.ci/nightly` runs them.',
  ]);
});

it('ends with one line if nothing was skipped', () => {
  expect(closingLines(sumOf('apps/a', { 'x.test.ts': [['one', 'passed']] }), INSTALLS)).toEqual([
    '1 passed, 0 failed.',
  ]);
});
