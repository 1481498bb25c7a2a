import type { Mutant } from '../mutants/mutant.ts';
import { workspaceOf } from '../sources/files.ts';
import type { Outcome, WorkerProcess } from './worker-process.ts';

export type Verdict =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'survived' }
  /** A test hung twice with the mutant, and not in between without it. */
  | { readonly kind: 'timed out'; readonly by: string };

export interface Judge {
  /** Runs a test file without a mutant. @returns the failure, or undefined */
  proveUnchanged(worker: WorkerProcess, test: string): Promise<string | undefined>;
  judge(worker: WorkerProcess, mutant: Mutant, tests: readonly string[]): Promise<Verdict>;
  /** Tests that first passed without a mutant and then failed: they prove nothing, and are not run again. */
  readonly unsteady: ReadonlySet<string>;
}

/** Time limit of a test file, to which six times its time without a mutant is added: the machine may be busy. */
const GRACE_MS = 30_000;
const FIRST_RUN_LIMIT_MS = 300_000;

export function createJudge(root: string): Judge {
  const durationMs = new Map<string, number>();
  const kills = new Map<string, number>();
  const unsteady = new Set<string>();

  const run = (worker: WorkerProcess, test: string, mutant?: Mutant): Promise<Outcome> => {
    const known = durationMs.get(test);
    const limit = known === undefined ? FIRST_RUN_LIMIT_MS : GRACE_MS + 6 * known;
    const active = mutant && { ...mutant, path: `${root}/${mutant.file}` };
    return worker.run({ root, workspace: workspaceOf(test), test, ...(active && { mutant: active }) }, limit);
  };

  const killed = (mutant: Mutant, test: string, by: string): Verdict => {
    const pair = `${mutant.file} ${test}`;
    kills.set(pair, (kills.get(pair) ?? 0) + 1);
    return { kind: 'killed', by };
  };

  /** @returns undefined if the test passes in spite of the mutant */
  const judgeBy = async (
    worker: WorkerProcess,
    mutant: Mutant,
    test: string,
  ): Promise<Verdict | undefined> => {
    const first = await run(worker, test, mutant);
    if (isFailure(first)) return killed(mutant, test, `${test}: ${first.failure}`);
    if (isPass(first)) return undefined;
    // The test hung or died. The mutant is the cause only if the test still passes without it, and fails again with it.
    const unchanged = await run(worker, test);
    if (!isPass(unchanged)) {
      unsteady.add(test);
      return undefined;
    }
    const second = await run(worker, test, mutant);
    if (isPass(second)) return undefined;
    if (isFailure(second)) return killed(mutant, test, `${test}: ${second.failure}`);
    if (second === 'died') return killed(mutant, test, `${test}: the process ended`);
    return { kind: 'timed out', by: test };
  };

  return {
    unsteady,
    async proveUnchanged(worker, test) {
      const outcome = await run(worker, test);
      if (typeof outcome === 'string') return outcome;
      if (!outcome.passed) return outcome.failure;
      durationMs.set(test, outcome.ms);
      return undefined;
    },
    async judge(worker, mutant, tests) {
      // Runs first the tests that noticed most of this file's mutants so far, then the fastest.
      const rank = (test: string) =>
        (kills.get(`${mutant.file} ${test}`) ?? 0) * 1e9 - (durationMs.get(test) ?? 0);
      const steady = tests.filter((test) => !unsteady.has(test));
      for (const test of steady.sort((a, b) => rank(b) - rank(a))) {
        const verdict = await judgeBy(worker, mutant, test);
        if (verdict) return verdict;
      }
      return { kind: 'survived' };
    },
  };
}

const isPass = (outcome: Outcome): boolean => typeof outcome !== 'string' && outcome.passed;

const isFailure = (outcome: Outcome): outcome is Exclude<Outcome, string> =>
  typeof outcome !== 'string' && !outcome.passed && !outcome.timedOut;
