import { beforeEach, describe, expect, it } from '@jest/globals';
import { createStrangerBudget, type StrangerBudget } from './index.ts';

let nowMs: number;
const clock = () => new Date(nowMs);
let budget: StrangerBudget;
beforeEach(() => {
  nowMs = 1_790_000_000_000;
  budget = createStrangerBudget({ perMinute: 480, clock });
});

/** @returns how many of so many requests got something */
function takeAll(
  requests: number,
  address: string | ((number: number) => string),
  ...items: string[]
): number {
  let taken = 0;
  for (let i = 0; i < requests; i += 1)
    if (budget.take({ address: typeof address === 'string' ? address : address(i), items }) === 0) taken += 1;
  return taken;
}
const networkOfSite = (number: number) => `2001:db8:1:${number.toString(16)}00::1`;

it('gives one address a share, and the seconds until there is another', () => {
  expect(takeAll(500, '192.0.2.1')).toBe(90);
  nowMs += 20_000;
  expect(budget.take({ address: '192.0.2.1' })).toBe(40);
  nowMs += 40_000;
  expect(budget.take({ address: '192.0.2.1' })).toBe(0);
});

it.each<[string, number, (number: number) => string]>([
  ['two addresses', 1000, (i) => `192.0.2.${i % 2}`],
  ['110 addresses', 20_000, (i) => `192.0.2.${i % 110}`],
  ['the 256 networks of a /48', 5000, (i) => networkOfSite(i % 256)],
  ['64 sites of 256 networks each', 10_000, (i) => `2001:db8:${i % 64}:${(i % 256).toString(16)}00::1`],
])('serves a newcomer while %s take all they can', (_case, requests, attacker) => {
  for (let minute = 0; minute < 3; minute += 1) {
    expect(takeAll(requests, attacker)).toBeLessThan(480);
    expect(budget.take({ address: '198.51.100.1' })).toBe(0);
    expect(budget.take({ address: '2001:db8:ffff::1' })).toBe(0);
    nowMs += 60_000;
  }
});

it('leaves somebody who comes again a share of the next minute', () => {
  const greedy = () => takeAll(20_000, (i) => `192.0.2.${i % 50}`);
  greedy();
  nowMs += 60_000;
  greedy();
  expect(takeAll(5, '198.51.100.1')).toBeGreaterThanOrEqual(1);
  nowMs += 60_000;
  expect(takeAll(5, '198.51.100.1')).toBe(5);
});

describe('in one network', () => {
  const NAT = '192.0.2.1';
  beforeEach(() => {
    budget = createStrangerBudget({ perMinute: 1536, clock });
  });

  it('a client that takes all it can leaves others their share', () => {
    expect(takeAll(200, NAT, 'bad')).toBe(54);
    expect(takeAll(200, NAT, 'good')).toBe(54);
  });

  it('a browser that takes all it can leaves others the same client', () => {
    expect(takeAll(200, NAT, 'client', 'bad')).toBe(10);
    expect(takeAll(10, NAT, 'client', 'good')).toBe(10);
  });

  it('a client has its share of a minute although many others have taken all they can', () => {
    const flood = () => Array.from({ length: 30 }, (_, i) => takeAll(100, NAT, `bad ${i}`));
    flood();
    nowMs += 60_000;
    flood();
    expect(takeAll(8, NAT, 'good')).toBeGreaterThan(0);
    nowMs += 60_000;
    expect(takeAll(6, NAT, 'good')).toBe(6);
  });
});

it('remembers no more askers than it has served', () => {
  const decisions = { allowed: 0, refused: 0 };
  budget = createStrangerBudget({
    perMinute: 10,
    clock,
    onDecision: (decision) => {
      decisions[decision] += 1;
    },
  });
  takeAll(1000, (i) => `10.0.${i % 250}.${Math.floor(i / 250)}`);
  expect(decisions).toEqual({ allowed: 10, refused: 990 });
});

it('counts nothing for a request that is given back', () => {
  const asker = { address: '192.0.2.1', items: ['client'] };
  budget.giveBack(asker);
  for (let i = 0; i < 1000; i += 1) {
    expect(budget.take(asker)).toBe(0);
    budget.giveBack(asker);
  }
  expect(takeAll(100, '192.0.2.1')).toBe(90);
});
