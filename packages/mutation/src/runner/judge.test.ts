import { expect, it } from '@jest/globals';
import { findMutants } from '../mutants/find-mutants.ts';
import { createJudge } from './judge.ts';
import type { Outcome } from './worker-process.ts';

const [MUTANT] = findMutants('packages/x/src/x.ts', 'f();');
if (!MUTANT) throw new Error('no mutant');
const result = (passed: boolean, timedOut = false) => ({
  passed,
  failure: 'a title',
  timedOut,
  ms: 100,
  residentBytes: 1,
});
const [PASSED, FAILED, TIMED_OUT] = [result(true), result(false), result(false, true)];

/** A worker that returns these results in order, and records what it was told to run. */
function script(...outcomes: Outcome[]) {
  const asked: string[] = [];
  return {
    asked,
    stop: () => {},
    run: async ({ test, mutant }: { test: string; mutant?: unknown }) => {
      asked.push(`${test}${mutant ? ' mutated' : ''}`);
      return outcomes[asked.length - 1] ?? PASSED;
    },
  };
}
const judge = (worker: ReturnType<typeof script>, tests = ['packages/x/src/a.test.ts']) =>
  createJudge('/root').judge(worker, MUTANT, tests);

it('is killed by the first test that fails, and the other tests are not run', async () => {
  const worker = script(PASSED, FAILED);
  const verdict = await judge(worker, [
    'packages/x/src/a.test.ts',
    'packages/x/src/b.test.ts',
    'packages/x/src/c.test.ts',
  ]);
  expect(verdict).toEqual({ kind: 'killed', by: 'packages/x/src/b.test.ts: a title' });
  expect(worker.asked).toHaveLength(2);
});

it('survives if every test passes, or if there is none', async () => {
  expect(await judge(script(PASSED))).toEqual({ kind: 'survived' });
  expect(await judge(script(), [])).toEqual({ kind: 'survived' });
});

it.each<[string, Outcome[], string]>([
  ['hangs twice, and not without the mutant', ['hung', PASSED, 'hung'], 'timed out'],
  ['has a test that hangs twice', [TIMED_OUT, PASSED, TIMED_OUT], 'timed out'],
  ['hangs once and then passes: it was the machine', ['hung', PASSED, PASSED], 'survived'],
  ['hangs once and then fails', ['hung', PASSED, FAILED], 'killed'],
  ['dies twice', ['died', PASSED, 'died'], 'killed'],
  ['dies once', ['died', PASSED, PASSED], 'survived'],
])('that %s', async (_case, outcomes, kind) => {
  const worker = script(...outcomes);
  expect((await judge(worker)).kind).toBe(kind);
  expect(worker.asked[1]).toBe('packages/x/src/a.test.ts');
});

it('stops running a test that also hangs without a mutant, and reports it', async () => {
  const [a, b] = ['packages/x/src/a.test.ts', 'packages/x/src/b.test.ts'];
  const worker = script('hung', 'hung', FAILED, FAILED);
  const { judge: next, unsteady } = createJudge('/root');
  expect((await next(worker, MUTANT, [a, b])).kind).toBe('killed');
  expect((await next(worker, MUTANT, [a, b])).kind).toBe('killed');
  expect(worker.asked).toEqual([`${a} mutated`, a, `${b} mutated`, `${b} mutated`]);
  expect([...unsteady]).toEqual([a]);
});

it('runs the test first that has killed most mutants of the file, then the quickest', async () => {
  const { judge: next, proveUnchanged } = createJudge('/root');
  const [a, b] = ['packages/x/src/a.test.ts', 'packages/x/src/b.test.ts'];
  const worker = script({ ...PASSED, ms: 900 }, { ...PASSED, ms: 100 }, PASSED, FAILED, FAILED);
  await proveUnchanged(worker, a);
  await proveUnchanged(worker, b);
  await next(worker, MUTANT, [a, b]);
  await next(worker, MUTANT, [a, b]);
  expect(worker.asked.slice(2)).toEqual([`${b} mutated`, `${a} mutated`, `${a} mutated`]);
});
