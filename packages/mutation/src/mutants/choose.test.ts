import { expect, it } from '@jest/globals';
import { choose } from './choose.ts';
import { findMutants } from './find-mutants.ts';

const MUTANTS = findMutants('src/x.ts', Array.from({ length: 50 }, (_, i) => `f(a${i});`).join('\n'));
const ids = (chosen: readonly { id: string }[]) => chosen.map(({ id }) => id);

it('chooses the requested number in their order, and the same mutants for the same seed', () => {
  const chosen = choose(MUTANTS, 10, 'seed');
  expect(chosen).toHaveLength(10);
  expect(chosen.map(({ line }) => line)).toEqual(chosen.map(({ line }) => line).sort((a, b) => a - b));
  expect(ids(choose(MUTANTS, 10, 'seed'))).toEqual(ids(chosen));
  expect(ids(choose(MUTANTS, 10, 'another'))).not.toEqual(ids(chosen));
});

it('chooses all if there are not enough', () => {
  expect(choose(MUTANTS, 50, 'seed')).toEqual(MUTANTS);
  expect(choose(MUTANTS, Number.POSITIVE_INFINITY, 'seed')).toEqual(MUTANTS);
});

it('chooses nearly the same when mutants are added', () => {
  const before = new Set(ids(choose(MUTANTS.slice(0, 45), 20, 'seed')));
  const after = ids(choose(MUTANTS, 20, 'seed'));
  expect(after.filter((id) => before.has(id)).length).toBeGreaterThanOrEqual(15);
});
