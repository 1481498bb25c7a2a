import { createHash } from 'node:crypto';
import type { Mutant } from './mutant.ts';

/**
 * Returns `count` of the mutants, in their order. The same seed chooses the same mutants, and a change elsewhere in the
 * code does not change the choice among those that it leaves as they are, except at its margin.
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
