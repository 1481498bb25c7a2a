import { beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts';

let metrics: Registry;
let budget: MemoryBudget;

beforeEach(() => {
  metrics = new Registry();
  budget = createMemoryBudget({ limitBytes: 1000, organizationPercent: 25, userPercent: 10, metrics });
});

const open = (userId: string, organizationId = 'org_a') => budget.open({ organizationId, userId });
const metric = async (line: string): Promise<number> =>
  Number(
    (await metrics.metrics())
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')[1],
  );
const usedBytes = () => metric('memory_budget_used_bytes');

describe('a request is refused bytes beyond', () => {
  it.each([
    ['the share of its user', 'user', () => [open('alice'), open('alice')], 50],
    [
      'the share of its organization',
      'organization',
      () => ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => open(id)),
      50,
    ],
    [
      'the budget of the process',
      'process',
      () => Array.from({ length: 19 }, (_, i) => open(`user_${i}`, `org_${i % 7}`)),
      50,
    ],
    ['the share of callers who are not known', 'anonymous', () => [budget.openAnonymous()], 50],
  ])('%s', async (_what, share, openAll, bytes) => {
    const holds = openAll();
    const last = holds.pop();
    for (const hold of holds) expect(hold.take(bytes)).toBe(true);
    if (share === 'anonymous') expect(last?.take(bytes)).toBe(true);
    const before = await usedBytes();
    expect(last?.take(bytes + 1)).toBe(false);
    expect(await usedBytes()).toBe(before);
    expect(await metric(`memory_budget_refusals_total{share="${share}"}`)).toBe(1);
  });
});

it('keeps memory for other users of an organization, and for other organizations', () => {
  expect(open('alice').take(100)).toBe(true);
  expect(open('alice').take(1)).toBe(false);
  expect(open('bob').take(100)).toBe(true);
  expect(open('carol').take(51)).toBe(false);
  expect(open('alice', 'org_b').take(100)).toBe(true);
});

it('reserves the last tenth for organizations that use little, however many large ones there are', () => {
  const large = ['org_a', 'org_b', 'org_c', 'org_d'].flatMap((id) => [
    open('alice', id),
    open('bob', id),
    open('carol', id),
  ]);
  for (const hold of large) hold.take(75);
  expect(large.map((hold) => hold.take(1))).toEqual(large.map(() => false));
  const small = open('alice', 'org_small');
  expect([small.take(20), small.take(1)]).toEqual([true, false]);
});

it('grants released bytes again, and counts all bytes in use', async () => {
  const [first, second] = [open('alice'), open('alice')];
  first.take(60);
  second.take(40);
  first.give(30);
  expect(await usedBytes()).toBe(70);
  expect(second.take(30)).toBe(true);
  second.keepOnly(5);
  expect(await usedBytes()).toBe(35);
  first.close();
  second.close();
  expect(await usedBytes()).toBe(0);
});

it('releases no more bytes than were taken', async () => {
  const [first, second] = [open('alice'), open('alice')];
  first.take(10);
  second.take(10);
  first.give(1000);
  first.close();
  first.close();
  expect(await usedBytes()).toBe(10);
});

it('grants nothing to a request that has ended', async () => {
  const hold = open('alice');
  hold.close();
  expect(hold.take(1)).toBe(false);
  expect(await usedBytes()).toBe(0);
});

it('counts the requests of one user together, also after one of them has ended', () => {
  const [first, second] = [open('alice'), open('alice')];
  first.close();
  expect(second.take(100)).toBe(true);
  expect(open('alice').take(1)).toBe(false);
});

it("reports whether the process has room, regardless of the user's share, and counts nothing", async () => {
  const hold = open('alice');
  expect(hold.hasRoomFor(1000)).toBe(true);
  expect(hold.hasRoomFor(1001)).toBe(false);
  expect(await usedBytes()).toBe(0);
});

it("limits the service's own reads only by the whole budget", () => {
  const own = budget.openOwn();
  expect([own.take(1000), own.take(1)]).toEqual([true, false]);
});
