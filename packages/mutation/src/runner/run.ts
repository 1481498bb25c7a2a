import { z } from 'zod';
import { ActiveMutant } from './mutant-variable.ts';

/** A test file to run, with a mutant or without. */
export const Run = z.object({
  root: z.string(),
  workspace: z.string(),
  test: z.string(),
  mutant: ActiveMutant.optional(),
});
export type Run = z.output<typeof Run>;

export const RunResult = z.object({
  passed: z.boolean(),
  /** The first failed test, or the reason why no test ran. */
  failure: z.string(),
  /** A test of the file hung. */
  timedOut: z.boolean(),
  ms: z.number(),
  residentBytes: z.number(),
});
export type RunResult = z.output<typeof RunResult>;
