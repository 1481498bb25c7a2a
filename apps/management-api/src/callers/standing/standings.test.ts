import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import type { Standing } from './standing-store.ts';
import { createStandings } from './standings.ts';

const ACME = OrganizationId.parse('org_a');
const ALICE = UserId.parse('idp:alice');
const BOB = UserId.parse('bob');

const standing = (plan: 'free' | 'pro'): Standing => ({
  organization: {
    id: ACME,
    name: 'A',
    plan: { name: plan, requestsPerMinute: null },
    status: 'active',
    purgeAt: null,
    defaultRole: null,
    roleSource: 'local',
  },
  deniedClients: [],
  membership: { state: 'unknown' },
});
const down = async () => {
  throw new DatabaseUnavailable(new Error('connection refused'));
};

function scene() {
  let seconds = 1_790_000_000;
  let answer: () => Promise<Standing> = async () => standing('free');
  const asked: string[] = [];
  const standings = createStandings({
    store: {
      find(organizationId, userId) {
        asked.push(`${organizationId} ${userId}`);
        return answer();
      },
    },
    clock: () => new Date(seconds * 1000),
  });
  return {
    standings,
    asked,
    plan: async (user = ALICE) => (await standings.get(ACME, user)).organization.plan.name,
    pass(by: number) {
      seconds += by;
    },
    becomes(next: () => Promise<Standing>) {
      answer = next;
    },
  };
}

it('queries the store once a second for each user, even for many concurrent requests', async () => {
  const { standings, asked, pass } = scene();
  await Promise.all(Array.from({ length: 20 }, () => standings.get(ACME, ALICE)));
  await standings.get(ACME, BOB);
  pass(1);
  await standings.get(ACME, ALICE);
  expect(asked).toEqual(['org_a idp:alice', 'org_a bob']);
});

it('reads a change after a second', async () => {
  const { plan, pass, becomes } = scene();
  await plan();
  becomes(async () => standing('pro'));
  expect(await plan()).toBe('free');
  pass(1.001);
  expect(await plan()).toBe('pro');
});

it('reloads a user, or everyone in an organization, after `forget`', async () => {
  const { standings, plan, becomes } = scene();
  await Promise.all([plan(ALICE), plan(BOB)]);
  becomes(async () => standing('pro'));
  standings.forget(ACME, ALICE);
  expect([await plan(ALICE), await plan(BOB)]).toEqual(['pro', 'free']);
  standings.forget(OrganizationId.parse('org'));
  expect(await plan(BOB)).toBe('free');
  standings.forget(ACME);
  expect(await plan(BOB)).toBe('pro');
});

it('uses the last known data for 10 minutes while the database is down, and retries for each request', async () => {
  const { plan, pass, becomes } = scene();
  await plan();
  becomes(down);
  pass(600);
  expect(await plan()).toBe('free');
  pass(0.001);
  await expect(plan()).rejects.toThrow(DatabaseUnavailable);
  becomes(async () => standing('pro'));
  expect(await plan()).toBe('pro');
});

it('throws the outage for an unknown user, and still returns the organization', async () => {
  const { standings, plan, becomes } = scene();
  await plan(ALICE);
  becomes(down);
  await expect(plan(BOB)).rejects.toThrow(DatabaseUnavailable);
  expect(standings.lastKnownOrganization(ACME)?.plan.name).toBe('free');
  expect(standings.lastKnownOrganization(OrganizationId.parse('org_b'))).toBeUndefined();
  becomes(async () => standing('free'));
  expect(await plan(BOB)).toBe('free');
});
