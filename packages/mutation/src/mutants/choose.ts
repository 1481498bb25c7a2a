import { createHash } from 'node:crypto';
import type { Mutant } from './mutant.ts';

/**
 * Returns `count` of the mutants, in their order. The same seed chooses the same mutants, and a change of the code
 * hardly affects the choice among unchanged mutants.
 */
export function choose(mutants: readonly Mutant[], count: number, seed: string): Mutant[] {
  if (count >= mutants.length) return [...mutants];
  const rank = new Map(mutants.map(({ id }) => [id, rankOf(id, seed)]));
  const ranks = [...rank.values()].sort();
  const limit = ranks[count];
  return mutants.filter(({ id }) => limit === undefined || (rank.get(id) ?? '') < limit);
}

const rankOf = (id: string, seed: string): string =>
  createHash('sha256').update(`${seed}:${id}`).digest('hex');
