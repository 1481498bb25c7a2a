import { expect, it } from '@jest/globals';
import { createByteShares } from './index.ts';

const RULE = { maxBytes: 1000, sharePercent: 10 };

/** Reserves ten bytes at a time until a reservation is refused. @returns the reserved bytes */
function fill(shares: ReturnType<typeof createByteShares>, owner: string): number {
  let bytes = 0;
  while (shares.take(owner, 10)) bytes += 10;
  return bytes;
}

it('gives a single owner everything except the four shares that are reserved for others', () => {
  expect(fill(createByteShares(RULE), 'org_a')).toBe(600);
});

it('gives a newcomer a share after another owner has taken all it can', () => {
  const shares = createByteShares(RULE);
  fill(shares, 'org_greedy');
  expect(shares.take('org_modest', 80)).toBe(true);
  expect(shares.take('org_greedy', 10)).toBe(false);
});

it('has room for a small request after ten other owners have taken all they can', () => {
  const shares = createByteShares({ maxBytes: 100_000, sharePercent: 10 });
  for (let i = 0; i < 10; i += 1) fill(shares, `org_${i}`);
  expect(shares.take('org_modest', 1000)).toBe(true);
  expect(shares.usedBytes()).toBeLessThanOrEqual(100_000);
});

it('makes released bytes available again', () => {
  const shares = createByteShares(RULE);
  fill(shares, 'org_a');
  shares.give('org_a', 600);
  expect([shares.usedBytes(), shares.take('org_a', 600)]).toEqual([0, true]);
});
