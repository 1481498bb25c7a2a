import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { APPLICATION_ROLE, MIGRATIONS } from '../../storage/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS, role: APPLICATION_ROLE });
});
afterAll(() => database.drop());

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

it('counts each call once, by its outcome, and an event for many refusals as many calls', async () => {
  await record('evt_1', 'tool.called');
  await record('evt_2', 'tool.denied', { count: 40 });
  await record('evt_3', 'site.created');
  await record('evt_4', 'tool.failed');
  await record('evt_1', 'tool.called');
  expect(await counts()).toEqual([row(1, 40, 1)]);

  await record('evt_5', 'prompt.read');
  await record('evt_5', 'prompt.read');
  await record('evt_6', 'delegation.denied', { rule: 'idp', count: 'many' });
  await record('evt_7', 'session.opened');
  await record('evt_8', 'resource.read', {}, 'org_globex');
  expect(await counts()).toEqual([row(0, 1, 0, 'idp'), row(2, 40, 1), row(1, 0, 0, 'r', 'org_globex')]);
});

it('deletes the counts of an organization that is purged, and no others', async () => {
  await database.asOwner(async (owner) => {
    await owner.query("INSERT INTO organizations (id, name) VALUES ('org_acme', 'Acme')");
    await owner.query("DELETE FROM organizations WHERE id = 'org_acme'");
  });
  expect(await counts()).toEqual([row(1, 0, 0, 'r', 'org_globex')]);
});
