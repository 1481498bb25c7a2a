import { expect, it } from '@jest/globals';
import { createByteShares } from './index.ts';

const RULE = { maxBytes: 1000, sharePercent: 10 };

/** Adds by tens until it is refused. */
function fill(shares: ReturnType<typeof createByteShares>, owner: string): number {
  let bytes = 0;
  while (shares.take(owner, 10)) bytes += 10;
  return bytes;
}

it('gives one owner alone everything but the four shares that are kept for others', () => {
  expect(fill(createByteShares(RULE), 'org_a')).toBe(600);
});

it('gives a newcomer a share after another owner has taken all it can', () => {
  const shares = createByteShares(RULE);
  fill(shares, 'org_greedy');
  expect(shares.take('org_modest', 80)).toBe(true);
  expect(shares.take('org_greedy', 10)).toBe(false);
});

it('has room for one that asks for little after ten others have taken all they can', () => {
  const shares = createByteShares({ maxBytes: 100_000, sharePercent: 10 });
  for (let i = 0; i < 10; i += 1) fill(shares, `org_${i}`);
  expect(shares.take('org_modest', 1000)).toBe(true);
  expect(shares.usedBytes()).toBeLessThanOrEqual(100_000);
});

it('has room again for released bytes', () => {
  const shares = createByteShares(RULE);
  fill(shares, 'org_a');
  shares.give('org_a', 600);
  expect([shares.usedBytes(), shares.take('org_a', 600)]).toEqual([0, true]);
});
