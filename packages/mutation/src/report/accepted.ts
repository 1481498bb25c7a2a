import { z } from 'zod';
import type { Mutant } from '../mutants/mutant.ts';

const Accepted = z.array(
  z.strictObject({
    id: z.string(),
    file: z.string(),
    /** The line of code, for the reader. */
    code: z.string(),
    change: z.string(),
    /** Why no test should notice it. */
    reason: z.string().min(10),
  }),
);
export type Accepted = z.output<typeof Accepted>;

/** @throws {z.ZodError | SyntaxError} */
export const parseAccepted = (text: string): Accepted => Accepted.parse(JSON.parse(text));

/** Splits survivors into those with a reason and those without. */
export function matchAccepted(survivors: readonly Mutant[], accepted: Accepted) {
  const reasons = new Map(accepted.map(({ id, reason }) => [id, reason]));
  return {
    explained: survivors.flatMap((mutant) => {
      const reason = reasons.get(mutant.id);
      return reason === undefined ? [] : [{ mutant, reason }];
    }),
    unexplained: survivors.filter(({ id }) => !reasons.has(id)),
  };
}

/** Returns the obsolete entries: their mutant is gone, or a test notices it. */
export function staleEntries(
  accepted: Accepted,
  all: readonly Mutant[],
  noticed: readonly Mutant[],
): Accepted {
  const existing = new Set(all.map(({ id }) => id));
  const killed = new Set(noticed.map(({ id }) => id));
  return accepted.filter(({ id }) => !existing.has(id) || killed.has(id));
}
