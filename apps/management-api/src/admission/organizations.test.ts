import { expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import type { Organization, OrganizationStore } from './organization-store.ts';
import { createOrganizations } from './organizations.ts';

function scene() {
  let seconds = 1_790_000_000;
  let answer: () => Promise<Organization> = async () => organization('free');
  let asked = 0;
  const store: OrganizationStore = {
    findOrCreate() {
      asked++;
      return answer();
    },
    save: async () => undefined,
  };
  return {
    organizations: createOrganizations({ store, clock: () => new Date(seconds * 1000) }),
    asked: () => asked,
    pass(by: number) {
      seconds += by;
    },
    becomes(next: () => Promise<Organization>) {
      answer = next;
    },
  };
}

const organization = (plan: 'free' | 'pro'): Organization => ({
  id: OrganizationId.parse('org_a'),
  name: 'A',
  plan: { name: plan, requestsPerMinute: null },
  status: 'active',
});
const down = async () => {
  throw new DatabaseUnavailable(new Error('connection refused'));
};

it('asks the store once in 30 seconds, even for many concurrent requests', async () => {
  const { organizations, asked, pass } = scene();
  await Promise.all(Array.from({ length: 20 }, () => organizations.get(OrganizationId.parse('org_a'))));
  pass(30);
  await organizations.get(OrganizationId.parse('org_a'));
  expect(asked()).toBe(1);
});

it('sees a changed plan after 30 seconds', async () => {
  const { organizations, pass, becomes } = scene();
  await organizations.get(OrganizationId.parse('org_a'));
  becomes(async () => organization('pro'));
  expect((await organizations.get(OrganizationId.parse('org_a'))).plan.name).toBe('free');
  pass(31);
  expect((await organizations.get(OrganizationId.parse('org_a'))).plan.name).toBe('pro');
});

it('uses the last known data while the database is down, and asks again each time', async () => {
  const { organizations, pass, becomes } = scene();
  await organizations.get(OrganizationId.parse('org_a'));
  becomes(down);
  pass(3600);
  expect((await organizations.get(OrganizationId.parse('org_a'))).plan.name).toBe('free');
  becomes(async () => organization('pro'));
  expect((await organizations.get(OrganizationId.parse('org_a'))).plan.name).toBe('pro');
});

it('throws the outage without known data, and caches no failure', async () => {
  const { organizations, becomes } = scene();
  becomes(down);
  await expect(organizations.get(OrganizationId.parse('org_a'))).rejects.toThrow(DatabaseUnavailable);
  becomes(async () => organization('free'));
  expect((await organizations.get(OrganizationId.parse('org_a'))).id).toBe('org_a');
});
