import { beforeEach, describe, expect, it } from '@jest/globals';
import { createStrangerBudget, type StrangerBudget } from './index.ts';

let nowMs: number;
const clock = () => new Date(nowMs);
let budget: StrangerBudget;
beforeEach(() => {
  nowMs = 1_790_000_000_000;
  budget = createStrangerBudget({ perMinute: 480, clock });
});

const secondsOf = (address: string, ...items: string[]): number => budget.take({ address, items }).seconds;

/** @returns the number of accepted requests */
function takeAll(
  requests: number,
  address: string | ((number: number) => string),
  ...items: string[]
): number {
  let taken = 0;
  for (let i = 0; i < requests; i += 1)
    if (secondsOf(typeof address === 'string' ? address : address(i), ...items) === 0) taken += 1;
  return taken;
}
const networkOfSite = (number: number) => `2001:db8:1:${number.toString(16)}00::1`;

it('gives one address a share, and returns the seconds until the next window', () => {
  expect(takeAll(500, '192.0.2.1')).toBe(160);
  nowMs += 20_000;
  expect(secondsOf('192.0.2.1')).toBe(40);
  nowMs += 40_000;
  expect(secondsOf('192.0.2.1')).toBe(0);
});

it.each<[string, number, (number: number) => string]>([
  ['two addresses', 1000, (i) => `192.0.2.${i % 2}`],
  ['110 addresses', 20_000, (i) => `192.0.2.${i % 110}`],
  ['the 256 networks of a /48', 5000, (i) => networkOfSite(i % 256)],
  ['64 sites of 256 networks each', 10_000, (i) => `2001:db8:${i % 64}:${(i % 256).toString(16)}00::1`],
])('serves a newcomer while %s take all they can', (_case, requests, attacker) => {
  for (let minute = 0; minute < 3; minute += 1) {
    expect(takeAll(requests, attacker)).toBeLessThan(480);
    expect(secondsOf('198.51.100.1')).toBe(0);
    expect(secondsOf('2001:db8:ffff::1')).toBe(0);
    nowMs += 60_000;
  }
});

it.each<[string, number, number]>([
  ['four', 4, 80],
  ['fifty', 50, 10],
])('serves a whole office at once while %s addresses take all they can', (_case, attackers, served) => {
  budget = createStrangerBudget({ perMinute: 1536, clock });
  for (let minute = 0; minute < 3; minute += 1) {
    takeAll(20_000, (i) => `192.0.2.${i % attackers}`);
    expect(takeAll(200, '198.51.100.1')).toBeGreaterThanOrEqual(served);
    expect(takeAll(8, '198.51.100.2')).toBeGreaterThanOrEqual(4);
    nowMs += 60_000;
  }
});

describe('in one network', () => {
  const NAT = '192.0.2.1';
  beforeEach(() => {
    budget = createStrangerBudget({ perMinute: 3072, clock });
  });

  it('a browser that takes all it can, with any number of clients, leaves the same client to other browsers', () => {
    expect(takeAll(500, NAT, 'bad', 'client')).toBe(114);
    for (let i = 0; i < 500; i += 1) takeAll(1, NAT, 'bad', `client ${i}`);
    expect(takeAll(10, NAT, 'good', 'client')).toBe(10);
    expect(takeAll(10, NAT, 'none', 'client')).toBe(10);
  });

  it('a client that takes all it can leaves other clients of the same browser their share', () => {
    takeAll(500, NAT, 'none', 'bad');
    expect(takeAll(50, NAT, 'none', 'good')).toBe(50);
  });

  it('200 people can begin within three minutes, and try again', () => {
    for (let person = 0; person < 200; person += 1) {
      expect(takeAll(1, NAT, 'none', 'client')).toBe(1);
      expect(takeAll(2, NAT, `browser ${person}`, 'client')).toBe(2);
      nowMs += 900;
    }
  });

  it('a hundred known browsers can begin three times each within a minute', () => {
    for (let i = 0; i < 300; i += 1) expect(takeAll(1, NAT, `browser ${i % 100}`, 'client')).toBe(1);
  });
});

it('accepts no more requests than its limit from many addresses', () => {
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

it('does not count a request that is given back, and gives it back only once and only in its own window', () => {
  const asker = { address: '192.0.2.1', items: ['client'] };
  for (let i = 0; i < 1000; i += 1) {
    const { seconds, giveBack } = budget.take(asker);
    expect(seconds).toBe(0);
    giveBack();
    giveBack();
  }
  expect(takeAll(200, '192.0.2.1')).toBe(160);
  nowMs += 60_000;
  const { giveBack } = budget.take(asker);
  nowMs += 60_000;
  expect(takeAll(200, '192.0.2.1')).toBe(160);
  giveBack();
  expect(takeAll(1, '192.0.2.1')).toBe(0);
});
