import { beforeEach, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { createUsageCounter } from './counter.ts';
import type { UsageCount } from './store.ts';

let now: Date;
let saved: UsageCount[][];
let failure: Error | undefined;
let lost: number;
const store = {
  async add(counts: readonly UsageCount[]) {
    if (failure) throw failure;
    saved.push([...counts]);
  },
};
const counterOf = (maxCounts?: number) =>
  createUsageCounter({
    store,
    clock: () => now,
    onLost: (requests) => {
      lost += requests;
    },
    ...(maxCounts !== undefined && { maxCounts }),
  });

beforeEach(() => {
  now = new Date('2026-09-21T12:00:00Z');
  saved = [];
  failure = undefined;
  lost = 0;
});

const acme = { organizationId: 'org_acme', day: '2026-09-21' };

it('saves each count once, for all organizations together', async () => {
  const counter = counterOf();
  counter.count(OrganizationId.parse('org_acme'), false);
  counter.count(OrganizationId.parse('org_globex'), false);
  counter.count(OrganizationId.parse('org_acme'), true);
  await counter.flush();
  await counter.flush();
  expect(saved).toEqual([
    [
      { ...acme, requests: 2, throttled: 1 },
      { ...acme, organizationId: 'org_globex', requests: 1, throttled: 0 },
    ],
  ]);
});

it('counts a request on the UTC day on which it arrived, whenever it is saved', async () => {
  const counter = counterOf();
  now = new Date('2026-09-21T23:59:59.999Z');
  counter.count(OrganizationId.parse('org_acme'), false);
  now = new Date('2026-09-22T00:00:00.000Z');
  counter.count(OrganizationId.parse('org_acme'), false);
  await counter.flush();
  expect(saved.flat().map(({ day, requests }) => [day, requests])).toEqual([
    ['2026-09-21', 1],
    ['2026-09-22', 1],
  ]);
});

it('keeps counts that could not be saved, and adds later ones', async () => {
  const counter = counterOf();
  counter.count(OrganizationId.parse('org_acme'), true);
  failure = new Error('down');
  await expect(counter.flush()).rejects.toThrow('down');
  counter.count(OrganizationId.parse('org_acme'), false);
  failure = undefined;
  await counter.flush();
  expect(saved.flat()).toEqual([{ ...acme, requests: 2, throttled: 1 }]);
});

it('counts requests that arrive while it saves', async () => {
  const counter = counterOf();
  counter.count(OrganizationId.parse('org_acme'), false);
  const first = counter.flush();
  counter.count(OrganizationId.parse('org_acme'), false);
  await first;
  await counter.flush();
  expect(saved.flat().map(({ requests }) => requests)).toEqual([1, 1]);
});

it('counts a limited number of organizations, and reports how many requests it could not count', async () => {
  const counter = counterOf(2);
  for (const organization of ['a', 'b', 'c', 'a', 'c'])
    counter.count(OrganizationId.parse(organization), false);
  expect(lost).toBe(2);
  await counter.flush();
  expect(saved.flat().map(({ organizationId, requests }) => [organizationId, requests])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});
