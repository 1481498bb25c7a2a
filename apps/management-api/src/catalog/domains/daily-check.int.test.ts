import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { createMakeChange } from '../../changes/change.ts';
import { systemAuthor } from '../../domain/author.ts';
import { APPLICATION_ROLE, MIGRATIONS } from '../../storage/database.ts';
import { createQuotaCheck } from '../resources/quota.ts';
import { createSaveCheckResult, type SaveCheckResult } from './check-result.ts';
import { type CheckOutcome, createDailyCheck } from './daily-check.ts';
import { createDomains, type Domains } from './service.ts';
import { createDomainStore, type DomainStore } from './store.ts';
import { DnsUnavailable } from './txt-lookup.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

let database: TestDatabase;
let tenants: TenantDatabase;
let store: DomainStore;
let domains: Domains;
let saveResult: SaveCheckResult;
let makeChange: ReturnType<typeof createMakeChange>;
let seconds = 1_790_000_000;
const clock = () => new Date(seconds * 1000);

/** Names with their records; a name that is absent has none. */
let zone: Map<string, string>;
let dnsDown: boolean;
let asked: string[];
let outcomes: CheckOutcome[];

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS, role: APPLICATION_ROLE });
  tenants = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
  store = createDomainStore(tenants);
  const checkQuota = createQuotaCheck('domains', 100);
  domains = createDomains({ store, checkQuota, clock });
  saveResult = createSaveCheckResult({ store, clock, random: () => 0.5 });
  makeChange = createMakeChange(tenants);
  await database.asOwner((owner) =>
    owner.query("INSERT INTO organizations (id, name) VALUES ('org_acme', 'Acme'), ('org_globex', 'Globex')"),
  );
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.asOwner((owner) => owner.query('DELETE FROM domains'));
  [zone, dnsDown, asked, outcomes] = [new Map(), false, [], []];
});

async function addVerified(organizationId: string, domain: string) {
  const { value } = await makeChange(systemAuthor(OrganizationId.parse(organizationId)), async (change) => {
    const added = await domains.add(change, { domain });
    return saveResult(change, added.value.id, true);
  });
  zone.set(value.verification.name, value.verification.value);
  return value;
}

const newCheck = () =>
  createDailyCheck({
    store,
    saveResult,
    lookupTxt: async (name) => {
      asked.push(name);
      if (dnsDown) throw new DnsUnavailable(new Error('SERVFAIL'));
      const record = zone.get(name);
      return record === undefined ? [] : [record];
    },
    makeChange,
    clock,
    onOutcome: (outcome) => outcomes.push(outcome),
  });

async function checkAfter(hours: number): Promise<CheckOutcome[]> {
  seconds += hours * HOUR_SECONDS;
  outcomes = [];
  await newCheck()(new AbortController().signal);
  return outcomes;
}

const savedOf = async (id: string) => {
  const { rows } = await database.asOwner((owner) =>
    owner.query('SELECT state, misses, version FROM domains WHERE id = $1', [id]),
  );
  return rows[0];
};

it('checks each domain of all organizations once a day', async () => {
  await addVerified('org_acme', 'acme.com');
  await addVerified('org_globex', 'globex.com');
  expect(await checkAfter(23)).toEqual([]);
  expect(await checkAfter(2)).toEqual(['found', 'found']);
  expect(await checkAfter(0)).toEqual([]);
  expect([...asked].sort()).toEqual(['_mgmt-challenge.acme.com', '_mgmt-challenge.globex.com']);
});

it('checks all due domains', async () => {
  for (let i = 0; i < 25; i++) await addVerified('org_acme', `acme${i}.com`);
  expect(await checkAfter(25)).toHaveLength(25);
});

it('checks each domain in only one of several processes', async () => {
  for (let i = 0; i < 25; i++) await addVerified('org_acme', `acme${i}.com`);
  seconds += 2 * DAY_SECONDS;
  const { signal } = new AbortController();
  await Promise.all([newCheck()(signal), newCheck()(signal), newCheck()(signal)]);
  expect(asked).toHaveLength(25);
  expect(new Set(asked).size).toBe(25);
});

it('fails a domain whose record is missing three days in a row, and records that in the audit trail', async () => {
  const { id, verification } = await addVerified('org_acme', 'acme.com');
  zone.delete(verification.name);
  expect(await checkAfter(25)).toEqual(['missing']);
  expect(await savedOf(id)).toEqual({ state: 'verified', misses: 1, version: 2 });
  expect(await checkAfter(25)).toEqual(['missing']);
  expect(await checkAfter(25)).toEqual(['failed']);
  expect(await savedOf(id)).toEqual({ state: 'failed', misses: 0, version: 3 });
  expect(await checkAfter(25)).toEqual([]);

  const { rows } = await database.asOwner((owner) =>
    owner.query(
      "SELECT organization_id, actor, targets, changes FROM audit_events WHERE action = 'domain.failed'",
    ),
  );
  expect(rows).toEqual([
    {
      organization_id: 'org_acme',
      actor: { type: 'system', id: 'management-api', email: null },
      targets: [{ type: 'domain', id, name: 'acme.com' }],
      changes: { state: { from: 'verified', to: 'failed' } },
    },
  ]);
});

it('starts counting again when the record returns', async () => {
  const { id, verification } = await addVerified('org_acme', 'acme.com');
  for (const record of [undefined, undefined, verification.value, undefined, undefined]) {
    if (record === undefined) zone.delete(verification.name);
    else zone.set(verification.name, record);
    await checkAfter(25);
  }
  expect(await savedOf(id)).toMatchObject({ state: 'verified', misses: 2 });
});

it('counts a record with another value as missing', async () => {
  const { verification } = await addVerified('org_acme', 'acme.com');
  zone.set(verification.name, `${verification.value} `);
  expect(await checkAfter(25)).toEqual(['missing']);
});

it('does not count an outage of the DNS as a missing record, and retries within the day', async () => {
  const { id } = await addVerified('org_acme', 'acme.com');
  dnsDown = true;
  for (let i = 0; i < 5; i++) expect(await checkAfter(25)).toEqual(['unavailable']);
  expect(await savedOf(id)).toEqual({ state: 'verified', misses: 0, version: 2 });
  dnsDown = false;
  expect(await checkAfter(2)).toEqual(['found']);
});

it('checks the other domains if one was removed in the meantime or cannot be saved', async () => {
  await addVerified('org_acme', 'acme.com');
  const removed = await addVerified('org_acme', 'removed.com');
  seconds += 2 * DAY_SECONDS;
  const check = createDailyCheck({
    store: {
      takeDue: store.takeDue,
      async find(organizationId, id) {
        if (id === removed.id)
          await database.asOwner((owner) => owner.query('DELETE FROM domains WHERE id = $1', [id]));
        return store.find(organizationId, id);
      },
    },
    saveResult: () => Promise.reject(new Error('cannot be saved')),
    lookupTxt: async () => [],
    makeChange,
    clock,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  await check(new AbortController().signal);
  expect([...outcomes].sort()).toEqual(['error', 'gone']);
});

it("shows the application's role only due domains of other organizations, and nothing else", async () => {
  const { id } = await addVerified('org_globex', 'globex.com');
  seconds += 2 * DAY_SECONDS;
  expect(await store.find(OrganizationId.parse('org_acme'), id)).toBeUndefined();
  const due = await store.takeDue(clock(), clock(), 1);
  expect(due).toEqual([{ organizationId: 'org_globex', id }]);
});
