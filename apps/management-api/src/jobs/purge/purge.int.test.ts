import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { APPLICATION_ROLE, MIGRATIONS } from '../../storage/database.ts';
import { createPurge, type RunPurge } from './service.ts';
import { createPurgeStore } from './store.ts';

/**
 * Gives everything to an owner that is not a superuser: a superuser bypasses all policies, and would not need
 * those of the purge.
 */
const HAND_OVER = `DO $$
BEGIN
  CREATE ROLE legate_plain_owner NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$
DECLARE it record;
BEGIN
  GRANT CREATE ON SCHEMA public TO legate_plain_owner;
  FOR it IN SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO legate_plain_owner', it.name);
  END LOOP;
  FOR it IN SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO legate_plain_owner', it.name);
  END LOOP;
  FOR it IN SELECT policyname, tablename FROM pg_policies WHERE roles <> '{public}' LOOP
    EXECUTE format('ALTER POLICY %I ON %I TO legate_plain_owner', it.policyname, it.tablename);
  END LOOP;
END $$`;

/** The clock of the purge; the database's clock is later. */
const NOW = new Date('2025-06-15T12:00:00.000Z');
const DAY_MS = 24 * 3600 * 1000;
const MONTH_MS = 30 * DAY_MS;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

let database: TestDatabase;
let tenants: TenantDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS, role: APPLICATION_ROLE });
  await database.asOwner((owner) => owner.query(HAND_OVER));
  tenants = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await sql('DELETE FROM organizations');
  await sql('DELETE FROM onboarding_sessions');
  await sql('DELETE FROM usage_days');
  await sql('DELETE FROM audit_events');
  await sql('DELETE FROM organization_tombstones');
  await sql("INSERT INTO organizations (id, name) VALUES ('org_a', 'A')");
});

const sql = (text: string, values: unknown[] = []) =>
  database.asOwner(async (owner) => (await owner.query(text, values)).rows);
const idsIn = async (table: string) =>
  (await sql(`SELECT id::text AS id FROM ${table} ORDER BY id`)).map(({ id }) => id);

/** The counts of the lists of all organizations */
const countsOf = async () =>
  (
    await sql(`SELECT organization_id::text AS id, resource, sum(present)::int AS present FROM resource_counts
      GROUP BY 1, 2 ORDER BY 1, 2`)
  ).map(({ id, resource, present }) => [id, resource, present]);

const actionsOf = async (organization: string) =>
  (
    await sql('SELECT action FROM audit_events WHERE organization_id = $1 ORDER BY action', [organization])
  ).map(({ action }) => action);

const KEEP_A_DAY = `CREATE OR REPLACE FUNCTION audit_retention_minimum() RETURNS interval
LANGUAGE sql AS $$ SELECT interval '1 day' $$`;

interface Options {
  clock?: () => Date;
  batch?: number;
  auditMonthsKept?: number;
}
const purgeWith = ({ clock = () => NOW, batch = 10, auditMonthsKept }: Options = {}): RunPurge =>
  createPurge({
    store: createPurgeStore(tenants),
    makeAuditMonths: async () => undefined,
    auditMonthsKept,
    clock,
    onPurged: () => undefined,
    batch,
  });
const purge = () => purgeWith()();

const site = (id: string, deletedAt: Date | null, org = 'org_a') =>
  sql("INSERT INTO sites (id, organization_id, name, deleted_at) VALUES ($1, $2, 'S', $3)", [
    id,
    org,
    deletedAt,
  ]);
const agent = (id: string, deletedAt: Date | null) =>
  sql("INSERT INTO agents (id, organization_id, name, deleted_at) VALUES ($1, 'org_a', 'A', $2)", [
    id,
    deletedAt,
  ]);
const connector = (id: string, deletedAt: Date | null) =>
  sql(
    `INSERT INTO connectors (id, organization_id, name, slug, resource_url, client_id, secret, secret_updated_at, deleted_at)
     VALUES ($1::text, 'org_a', 'C', 'c' || left(md5($1), 8), 'https://' || $1 || '.example', 'hub', 'sealed', now(), $2)`,
    [id, deletedAt],
  );
const origin = (siteId: string, name: string, expiresAt: Date | null) =>
  sql(
    `INSERT INTO site_origins (organization_id, site_id, origin, position, expires_at)
     VALUES ('org_a', $1, 'https://' || $2 || '.example', 1, $3)`,
    [siteId, name, expiresAt],
  );
const organization = (id: string, purgeAt: Date | null, status = 'suspended') =>
  sql('INSERT INTO organizations (id, name, status, purge_at) VALUES ($1::text, $1::text, $2, $3)', [
    id,
    status,
    purgeAt,
  ]);
const onboardingSession = (createdAt: Date) =>
  sql(
    `INSERT INTO onboarding_sessions (id, user_id, email_verified, external_id, return_to, created_at, expires_at)
     VALUES (gen_random_uuid(), 'u', true, gen_random_uuid(), '/', $1, $1)`,
    [createdAt],
  );
const idempotencyKey = (key: string, createdAt: Date) =>
  sql(
    `INSERT INTO idempotency_keys (organization_id, user_id, key, request_hash, created_at)
     VALUES ('org_a', 'u', $1, '', $2)`,
    [key, createdAt],
  );

describe.each([
  ['sites', site],
  ['agents', agent],
  ['connectors', connector],
])('of the %s', (table, insert) => {
  it('deletes rows that are thirty days old, and none that is a millisecond younger', async () => {
    await insert('x_due', ago(MONTH_MS));
    await insert('x_young', ago(MONTH_MS - 1));
    await insert('x_present', null);
    expect(await purge()).toEqual({ outcome: 'done', counts: { [table]: 1 } });
    expect(await idsIn(table)).toEqual(['x_present', 'x_young']);
    expect((await purge()).counts).toEqual({});
  });

  it('deletes more rows than fit in one batch', async () => {
    for (let i = 0; i < 7; i++) await insert(`x_${i}`, ago(MONTH_MS + i));
    expect((await purgeWith({ batch: 3 })()).counts).toEqual({ [table]: 7 });
  });
});

it('leaves nothing of a connector, including its secret and its agents', async () => {
  await agent('agt', null);
  await connector('con', ago(MONTH_MS));
  await sql(
    "INSERT INTO agent_connectors (organization_id, agent_id, connector_id) VALUES ('org_a', 'agt', 'con')",
  );
  await purge();
  expect(await sql('SELECT secret FROM connectors')).toEqual([]);
  expect(await sql('SELECT connector_id FROM agent_connectors')).toEqual([]);
  expect(await idsIn('agents')).toEqual(['agt']);
});

describe('of temporary origins', () => {
  it('deletes origins that expired thirty days ago, and raises the version of their site', async () => {
    await site('site_1', null);
    await site('site_2', null);
    await origin('site_1', 'due', ago(MONTH_MS));
    await origin('site_1', 'young', ago(MONTH_MS - 1));
    await origin('site_2', 'ahead', new Date(NOW.getTime() + 1));
    await origin('site_2', 'permanent', null);
    expect((await purge()).counts).toEqual({ origins: 1 });
    expect(await sql('SELECT origin FROM site_origins ORDER BY origin')).toEqual([
      { origin: 'https://ahead.example' },
      { origin: 'https://permanent.example' },
      { origin: 'https://young.example' },
    ]);
    expect(await sql('SELECT id, version FROM sites ORDER BY id')).toEqual([
      { id: 'site_1', version: 2 },
      { id: 'site_2', version: 1 },
    ]);
  });
});

describe('of organizations', () => {
  it('deletes organizations that are due, exact to the millisecond, and no active one', async () => {
    await organization('org_due', NOW);
    await organization('org_young', new Date(NOW.getTime() + 1));
    await organization('org_suspended', null);
    await organization('org_revived', ago(1), 'active');
    expect((await purge()).counts).toEqual({ organizations: 1 });
    expect(await idsIn('organizations')).toEqual(['org_a', 'org_revived', 'org_suspended', 'org_young']);
  });

  it('deletes all their data in batches, except their audit trail', async () => {
    await organization('org_due', NOW);
    for (let i = 0; i < 5; i++) await site(`site_${i}`, null, 'org_due');
    await site('site_of_a', null);
    await sql(
      "INSERT INTO members (organization_id, user_id, id, role) VALUES ('org_due', 'u', 'mem_u', 'owner')",
    );
    await sql(
      "INSERT INTO domains (id, organization_id, domain, verification_token) VALUES ('dom', 'org_due', 'due.example', repeat('x', 32))",
    );
    await sql("INSERT INTO usage_days VALUES ('org_due', '2025-06-01', 1, 0), ('org_a', '2025-06-01', 1, 0)");
    await sql(
      "INSERT INTO audit_events (id, organization_id, action, actor) VALUES ('evt', 'org_due', 'x', '{}')",
    );
    expect((await purgeWith({ batch: 2 })()).counts).toEqual({ sites: 5, organizations: 1 });
    expect(await idsIn('sites')).toEqual(['site_of_a']);
    expect([...(await idsIn('members')), ...(await idsIn('domains'))]).toEqual([]);
    expect(await sql('SELECT organization_id::text AS id FROM usage_days')).toEqual([{ id: 'org_a' }]);
    expect(await countsOf()).toEqual([['org_a', 'sites', 1]]);
    expect(await actionsOf('org_due')).toEqual(['organization.purged', 'x']);
    expect(await sql("SELECT FROM organization_tombstones WHERE organization_id = 'org_due'")).toHaveLength(
      1,
    );
  });

  it('leaves no count of rows that are deleted together with their organization', async () => {
    await agent('agt_of_a', null);
    await organization('org_due', NOW);
    await site('site_due', null, 'org_due');
    await sql("DELETE FROM organizations WHERE id = 'org_due'");
    expect(await countsOf()).toEqual([['org_a', 'agents', 1]]);
  });
});

it('erases name and address of a member who was removed a month ago, but not of a deactivated member', async () => {
  const member = (id: string, removedAt: Date | null, keptOut: string | null) =>
    sql(
      `INSERT INTO members (organization_id, user_id, id, role, email, name, removed_at, kept_out)
       VALUES ('org_a', $1::text, 'mem_' || $1, 'viewer', $1 || '@acme.example', $1, $2, $3)`,
      [id, removedAt, keptOut],
    );
  await member('a_gone', ago(MONTH_MS), null);
  await member('b_just_removed', ago(MONTH_MS - 1000), null);
  await member('c_deactivated', ago(MONTH_MS), 'deactivated');
  await member('d_active', null, null);
  expect((await purge()).counts).toEqual({ members: 1 });
  expect((await purge()).counts).toEqual({});
  expect(
    await sql('SELECT user_id, email, name, removed_at IS NULL AS active FROM members ORDER BY user_id'),
  ).toEqual([
    { user_id: 'a_gone', email: null, name: null, active: false },
    ...['b_just_removed', 'c_deactivated', 'd_active'].map((id) => ({
      user_id: id,
      email: `${id}@acme.example`,
      name: id,
      active: id === 'd_active',
    })),
  ]);
});

it('deletes onboarding sessions and idempotency keys that are a day old, and none a millisecond younger', async () => {
  for (const age of [DAY_MS, DAY_MS - 1]) {
    await onboardingSession(ago(age));
    await idempotencyKey(`key_${age}`, ago(age));
  }
  expect((await purge()).counts).toEqual({ onboarding_sessions: 1, idempotency_keys: 1 });
  const young = ago(DAY_MS - 1);
  expect(await sql('SELECT created_at FROM onboarding_sessions')).toEqual([{ created_at: young }]);
  expect(await sql('SELECT created_at FROM idempotency_keys')).toEqual([{ created_at: young }]);
});

it('does not delete anything early because the clock of the process is fast', async () => {
  const justNow = new Date();
  await site('site_1', justNow);
  await organization('org_later', new Date(justNow.getTime() + DAY_MS));
  await onboardingSession(justNow);
  await idempotencyKey('key', justNow);
  await origin('site_1', 'just-expired', justNow);
  const fast = purgeWith({ clock: () => new Date('2999-01-01'), auditMonthsKept: 1 });
  expect(await fast()).toEqual({ outcome: 'done', counts: {} });
});

describe('of the audit trail', () => {
  const months = async () =>
    (
      await sql(
        "SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = 'audit_events'::regclass",
      )
    ).map(({ part }) => part);

  it('drops the months that ended that long ago, exact to the millisecond, and only if configured', async () => {
    for (const [month, from, to] of [
      ['2025_02', '2025-02-01', '2025-03-01'],
      ['2025_03', '2025-03-01', '2025-04-01'],
    ]) {
      await sql(
        `CREATE TABLE audit_events_${month} PARTITION OF audit_events FOR VALUES FROM ('${from}T00:00Z') TO ('${to}T00:00Z')`,
      );
      await sql(`ALTER TABLE audit_events_${month} OWNER TO legate_plain_owner`);
    }
    const before = await months();
    expect((await purge()).counts).toEqual({});
    const early = purgeWith({ clock: () => new Date('2025-05-31T23:59:59.999Z'), auditMonthsKept: 3 });
    expect((await early()).counts).toEqual({});
    const due = purgeWith({ clock: () => new Date('2025-06-01T00:00:00.000Z'), auditMonthsKept: 3 });
    expect((await due()).counts).toEqual({ audit_months: 1 });
    expect(await months()).toEqual(before.filter((part) => part !== 'audit_events_2025_02'));
  });

  it('deletes rows of the same age from the default partition, and keeps row-level security', async () => {
    const event = (id: string, at: string) =>
      sql(`INSERT INTO audit_events (id, organization_id, action, actor, occurred_at)
        VALUES ('${id}', 'org_acme', 'site.created', '{}', '${at}')`);
    const inDefault = async () => {
      const rows = await sql('SELECT id FROM ONLY audit_events_default ORDER BY id');
      return rows.map(({ id }) => id);
    };
    await event('evt_old', '2019-12-31T23:59:59.999Z');
    await event('evt_young', '2020-01-01T00:00:00Z');
    expect(await inDefault()).toEqual(['evt_old', 'evt_young']);
    await purgeWith({ clock: () => new Date('2020-04-30T12:00:00Z'), auditMonthsKept: 3 })();
    expect(await inDefault()).toEqual(['evt_young']);
    expect(
      await sql("SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname = 'audit_events_default'"),
    ).toEqual([{ forced: true }]);
  });

  it("drops no month that ended within the owner's minimum, whatever the application requests", async () => {
    const soon = purgeWith({ clock: () => new Date(), auditMonthsKept: 1 });
    await soon();
    const [month] = await sql(`SELECT 'audit_events_' || to_char(starts, 'YYYY_MM') AS name, starts::text,
      (starts + interval '1 month')::text AS ends
      FROM date_trunc('month', now() AT TIME ZONE 'UTC' - interval '75 days') starts`);
    const { name, starts, ends } = month ?? {};
    await sql(
      `CREATE TABLE ${name} PARTITION OF audit_events FOR VALUES FROM ('${starts}Z') TO ('${ends}Z')`,
    );
    await sql(`ALTER TABLE ${name} OWNER TO legate_plain_owner`);
    expect((await soon()).counts).toEqual({});
    const byApplication = tenants.queryAsTenant('', { name: 'keep_a_day', text: KEEP_A_DAY });
    await expect(byApplication).rejects.toMatchObject({ code: '42501' });
    await sql(KEEP_A_DAY);
    expect((await soon()).counts).toEqual({ audit_months: 1 });
    expect(await months()).not.toContain(name);
  });
});

it('stops between two batches on request', async () => {
  for (let i = 0; i < 3; i++) await site(`site_${i}`, ago(MONTH_MS));
  const stopping = new AbortController();
  const run = purgeWith({
    batch: 1,
    clock: () => {
      stopping.abort();
      return NOW;
    },
  });
  expect((await run(stopping.signal)).outcome).toBe('stopped');
});

it('is safe to run in several processes at once: each row is counted once', async () => {
  for (let i = 0; i < 20; i++) await site(`site_${i}`, ago(MONTH_MS));
  const reports = await Promise.all([1, 2, 3].map(() => purgeWith({ batch: 2 })()));
  const counted = reports.reduce((sum, { counts }) => sum + (counts.sites ?? 0), 0);
  expect(counted + (await idsIn('sites')).length).toBe(20);
  await purge();
  expect(await idsIn('sites')).toEqual([]);
});

it('deletes accounts a month after their deletion, and keys a month after their end', async () => {
  const account = (id: string, deletedAt: Date | null) =>
    sql(
      "INSERT INTO service_accounts (organization_id, id, name, role, deleted_at) VALUES ('org_a', $1, 'CI', 'viewer', $2)",
      [id, deletedAt],
    );
  const key = (id: string, of: string, expiresAt: Date, revokedAt: Date | null = null) =>
    sql(
      `INSERT INTO api_keys
         (organization_id, id, service_account_id, name, key_hash, hint, scopes, expires_at, revoked_at)
       VALUES ('org_a', $1::text, $2, 'CI', sha256($1::text::bytea), 'b3ff', '{sites:read}', $3, $4)`,
      [id, of, expiresAt, revokedAt],
    );
  await account('sva_due', ago(MONTH_MS));
  await account('sva_young', ago(MONTH_MS - 1));
  await account('sva_there', null);
  const soon = new Date(NOW.getTime() + DAY_MS);
  await key('key_of_due', 'sva_due', soon);
  await key('key_live', 'sva_there', soon);
  await key('key_expired', 'sva_there', ago(MONTH_MS));
  await key('key_revoked', 'sva_there', soon, ago(MONTH_MS));
  await key('key_young', 'sva_there', ago(MONTH_MS - 1), ago(MONTH_MS - 1));
  expect((await purge()).counts).toEqual({ service_accounts: 1, api_keys: 2 });
  expect(await idsIn('service_accounts')).toEqual(['sva_there', 'sva_young']);
  expect(await idsIn('api_keys')).toEqual(['key_live', 'key_young']);
});

it('gives the application no way to delete or read anything else', async () => {
  await site('site_1', ago(MONTH_MS));
  const attempts = [
    "SELECT purge('members', now(), 1)",
    'DELETE FROM organizations',
    'DELETE FROM api_keys',
    "SELECT purge_machines('organizations', now(), 1)",
    'DROP TABLE audit_events_default',
  ];
  for (const text of attempts) {
    const attempt = tenants.withTenant('org_a', (connection) => connection.query({ text }));
    await expect(attempt).rejects.toThrow();
  }
  const seen = await tenants.withTenant('org_b', async (connection) => {
    await connection.query({ text: "SELECT set_config('app.purging', 'on', true)" });
    return connection.query({ text: 'SELECT id FROM sites' });
  });
  expect(seen).toEqual([]);
});

it('deletes invitations a month after they ended and were last changed', async () => {
  const invitation = (id: string, state: string, expiresAt: Date, updatedAt: Date) =>
    sql(
      `INSERT INTO invitations (id, organization_id, email, role, state, valid_days, token_hash, sent_at, expires_at,
         invited_by_type, invited_by_id, updated_at)
       VALUES ($1::text, 'org_a', $1::text || '@a.example', 'viewer', $2, 1, sha256($1::text::bytea), $4, $3, 'user', 'u', $4)`,
      [id, state, expiresAt, updatedAt],
    );
  await invitation('inv_due', 'pending', ago(MONTH_MS), ago(MONTH_MS + DAY_MS));
  await invitation('inv_revoked', 'revoked', ago(MONTH_MS + DAY_MS), ago(MONTH_MS));
  await invitation('inv_young', 'revoked', ago(MONTH_MS + DAY_MS), ago(MONTH_MS - 1));
  await invitation('inv_open', 'pending', new Date(NOW.getTime() + DAY_MS), ago(2 * MONTH_MS));
  expect((await purge()).counts).toEqual({ invitations: 2 });
  expect(await idsIn('invitations')).toEqual(['inv_open', 'inv_young']);
});
