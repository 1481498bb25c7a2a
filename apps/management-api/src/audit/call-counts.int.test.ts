import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { needs } from '@legate/testing';
import { APPLICATION_ROLE, MIGRATIONS } from '../storage/database.ts';
import { MIGRATION_NAMES, migrationsUpTo } from '../testing/migrations-up-to.ts';

const { it } = needs('time');

const BEFORE = MIGRATION_NAMES.indexOf('0027_trail');
const directories: string[] = [];
let database: TestDatabase;
beforeAll(async () => {
  const before = await migrationsUpTo(BEFORE);
  const until = await migrationsUpTo(BEFORE + 1);
  directories.push(before, until);
  database = await createTestDatabase({ migrations: before, role: APPLICATION_ROLE });
});
afterAll(async () => {
  await database.drop();
  for (const directory of directories) await rm(directory, { recursive: true });
});

const AT = '2026-11-20T23:59:59.500Z';
const record = (id: string, action: string, details: object = {}, organization = 'org_acme') =>
  database.asOwner((owner) =>
    owner.query(
      `INSERT INTO audit_events (id, organization_id, action, actor, targets, details, occurred_at) VALUES ($1, $2, $3,
       '{"type":"user","id":"u","email":null}', '[{"type":"agent","id":"agt_1"},{"type":"connector","id":"con_1"}]', $4, $5)
       ON CONFLICT DO NOTHING`,
      [id, organization, action, JSON.stringify({ leg: 'tool', rule: 'r', ...details }), AT],
    ),
  );
const counts = () =>
  database.asOwner(async (owner) => {
    const { rows } = await owner.query(
      `SELECT organization_id, day::text, connector_id, agent_id, leg, rule, allowed::int, refused::int, failed::int
       FROM call_counts ORDER BY organization_id, rule`,
    );
    return rows;
  });
const row = (allowed: number, refused: number, failed: number, rule = 'r', organization_id = 'org_acme') => ({
  ...{ organization_id, day: '2026-11-20', connector_id: 'con_1', agent_id: 'agt_1', leg: 'tool', rule },
  ...{ allowed, refused, failed },
});

it('counts each event once: those of before the migration, and all since, by whatever version', async () => {
  await record('evt_1', 'tool.called');
  await record('evt_2', 'tool.denied', { count: 40 });
  await record('evt_3', 'site.created');
  await database.migrate(directories[1] ?? '');
  expect(await counts()).toEqual([]);
  // Between the two migrations; the first was recorded before
  await record('evt_1', 'tool.called');
  await record('evt_4', 'tool.failed');
  expect(await counts()).toEqual([row(0, 0, 1)]);
  await database.migrate(MIGRATIONS);
  expect(await counts()).toEqual([row(1, 40, 1)]);

  await record('evt_5', 'prompt.read');
  await record('evt_5', 'prompt.read');
  await record('evt_6', 'delegation.denied', { rule: 'idp', count: 'many' });
  await record('evt_7', 'session.opened');
  await record('evt_8', 'resource.read', {}, 'org_globex');
  expect(await counts()).toEqual([row(0, 1, 0, 'idp'), row(2, 40, 1), row(1, 0, 0, 'r', 'org_globex')]);
});

it('forgets the counts of an organization that is purged, and of no other', async () => {
  await database.asOwner(async (owner) => {
    await owner.query("INSERT INTO organizations (id, name) VALUES ('org_acme', 'Acme')");
    await owner.query("DELETE FROM organizations WHERE id = 'org_acme'");
  });
  expect(await counts()).toEqual([row(1, 0, 0, 'r', 'org_globex')]);
});
