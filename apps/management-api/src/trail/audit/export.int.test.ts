import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createTenantDatabase } from '@legate/postgres';
import { createRateLimiter } from '@legate/rate-limit';
import request from 'supertest';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import type { TenantReader } from '../../storage/reader.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { createTrailExport } from './export.ts';

let api: TestApi;
let organization: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(() => {
  organization = `org_${++count}`;
});

const get = async (path: string, options: { app?: TestApi; roles?: string[]; accept?: string } = {}) => {
  const { app = api, roles = ['admin'], accept = '*/*' } = options;
  const claims = { roles, email: 'alice@acme.example', client_id: 'chat-app' };
  const token = await app.token(organization, claims);
  return request(app.app)
    .get(`/api/v1${path}`)
    .set('Accept', accept)
    .buffer(true)
    .auth(token, { type: 'bearer' });
};
const exportAs = (format: string, query = '', options: Parameters<typeof get>[1] = {}) =>
  get(`/audit-events/export?format=${format}${query}`, options);

const insert = (events: number, columns: { actor?: object; context?: object } = {}) =>
  api.database.asOwner((owner) =>
    owner.query(
      `INSERT INTO audit_events (id, organization_id, action, actor, context, occurred_at)
       SELECT 'evt_' || $1::text || lpad(i::text, 6, '0'), $1, 'x.y', $3, $4, $5::timestamptz + i * interval '1 ms'
       FROM generate_series(1, $2::int) i`,
      [
        ...[organization, events],
        JSON.stringify(columns.actor ?? { type: 'system', id: 's', email: null }),
        JSON.stringify(columns.context ?? {}),
        new Date(api.now().getTime() - 3_600_000),
      ],
    ),
  );
const linesOf = (text: string) => text.trimEnd().split('\n');
const idsOf = (text: string) =>
  linesOf(text)
    .map((line) => JSON.parse(line).id)
    .filter(Boolean);

describe('an export as NDJSON', () => {
  it('contains each event once, oldest first, over several pages, and reports that it is complete', async () => {
    await insert(1234);
    const answer = await exportAs('ndjson', '', { accept: 'application/x-ndjson' });
    expect([answer.status, answer.type]).toEqual([200, 'application/x-ndjson']);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="audit-events.ndjson"');
    const ids = idsOf(answer.text);
    expect([new Set(ids).size, ids.toSorted()]).toEqual([1234, ids]);
    expect(JSON.parse(linesOf(answer.text).at(-1) ?? '')).toEqual({ end: true, count: 1234, resume: null });
    const { body } = await get(`/audit-events?sort=occurred_at&limit=1&to=${api.now().toISOString()}`);
    expect(JSON.parse(linesOf(answer.text)[0] ?? '')).toEqual(body.data[0]);
  });

  it('is recorded as an audit event, with its filters', async () => {
    await insert(3);
    expect(idsOf((await exportAs('ndjson', '&action=x.z,x.y&actor_type=user')).text)).toEqual([]);
    const { body } = await get('/audit-events?action=audit.exported');
    expect(body.data).toMatchObject([
      {
        actor: { type: 'user', email: 'alice@acme.example' },
        targets: [{ type: 'organization', id: organization }],
        details: { format: 'ndjson', action: 'x.z,x.y', actor_type: 'user', to: api.now().toISOString() },
      },
    ]);
  });

  it('is not recorded, and sends nothing, for a HEAD request', async () => {
    const token = await api.token(organization, { roles: ['admin'] });
    const path = '/api/v1/audit-events/export?format=csv';
    const { status, text, headers } = await request(api.app).head(path).auth(token, { type: 'bearer' });
    expect([status, text, headers['content-disposition']]).toEqual([
      ...[200, undefined, 'attachment; filename="audit-events.csv"'],
    ]);
    expect((await get('/audit-events?action=audit.exported')).body.data).toEqual([]);
    expect((await exportAs('csv')).status).toBe(200);
  });

  it('continues where an export with the maximum number of events ended', async () => {
    await insert(1000);
    const tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
    const exportTrail = createTrailExport({
      reader: tenants,
      primary: tenants,
      clock: api.now,
      maxEvents: 700,
    });
    const reader = { role: 'owner', userId: UserId.parse('user_alice'), clientId: null } as const;
    const seen: string[] = [];
    let cursor: string | undefined;
    const ends: unknown[] = [];
    do {
      const query = { format: 'ndjson', ...(cursor !== undefined && { cursor }) } as const;
      let text = '';
      for await (const part of exportTrail(OrganizationId.parse(organization), reader, query).text)
        text += part;
      const { resume, ...end } = JSON.parse(linesOf(text).at(-1) ?? '');
      ends.push(end);
      seen.push(...idsOf(text));
      cursor = resume ?? undefined;
    } while (cursor !== undefined);
    expect(ends).toEqual([
      { end: true, count: 700 },
      { end: true, count: 300 },
    ]);
    expect(new Set(seen).size).toBe(1000);
  });
});

it('contains no CSV cell that a spreadsheet treats as a formula', async () => {
  const bad = ['=cmd()', '+1', '-1', '@x', '\tx', '"=a","b"\n=c'];
  for (const [index, text] of bad.entries())
    await api.database.asOwner((owner) =>
      owner.query(
        `INSERT INTO audit_events (id, organization_id, action, actor, context, occurred_at)
         VALUES ('evt_' || $1::text || $2::text, $1, 'x.y', $3, $4, $5)`,
        [
          ...[organization, index],
          JSON.stringify({ type: 'user', id: text, email: text }),
          JSON.stringify({ user_agent: text }),
          new Date(api.now().getTime() - 60_000 + index),
        ],
      ),
    );
  const { text, type } = await exportAs('csv', '', { accept: 'text/csv' });
  const [header = '', ...rows] = linesOf(text);
  expect([type, header.split(',').slice(0, 6)]).toEqual([
    'text/csv',
    ['id', 'occurred_at', 'recorded_at', 'action', 'actor_type', 'actor_id'],
  ]);
  const cells = rows.map((row) => row.split(',')[5]);
  expect(cells.slice(0, 4)).toEqual(["'=cmd()", "'+1", "'-1", "'@x"]);
  expect(text).toContain(",'\tx,");
  expect(text).toContain(`"""'=a"",""b""\n'=c"`);
});

it('is allowed to owners and administrators only', async () => {
  for (const role of ['developer', 'viewer']) {
    const answer = await exportAs('csv', '', { roles: [role] });
    expect([answer.status, answer.body.required_scope]).toEqual([403, 'audit:export']);
  }
});

it.each([
  ['', 'format'],
  ['format=xml', 'format'],
  ['format=csv&from=2026-01-01T00:00:00Z', 'from'],
  ['format=csv&limit=5', 'limit'],
])('refuses %j', async (query, parameter) => {
  const { status, body } = await get(`/audit-events/export?${query}`);
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter })]]);
});

it('counts as ten requests', async () => {
  const limiter = createRateLimiter({ clock: api.now });
  const limited = await createTestApi({ beside: api, limiter });
  const answers = [];
  for (let i = 0; i < 7; i++) answers.push(await exportAs('csv', '', { app: limited }));
  expect(answers.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
    ...['50', '40', '30', '20', '10', '0'].map((left) => [200, left]),
    [429, '0'],
  ]);
});

describe('while an export runs', () => {
  const REMOVE = 'UPDATE members SET removed_at = now() WHERE organization_id = $1';
  const REVOKE =
    "UPDATE members SET access_revoked_at = now() + interval '10 years' WHERE organization_id = $1";
  const REVOKED_BEFORE = "UPDATE members SET access_revoked_at = '2000-01-01' WHERE organization_id = $1";
  const DENY = `INSERT INTO client_consents (organization_id, user_id, client_id, decision, decided_at)
    SELECT organization_id, user_id, 'chat-app', 'deny', now() FROM members WHERE organization_id = $1`;
  const SUSPEND = "UPDATE organizations SET status = 'suspended' WHERE id = $1";
  /** Calls `meanwhile` before the page of this number is read. */
  const pausedAt = (page: number, meanwhile: () => Promise<unknown>): TenantReader => {
    const { queryAsTenant } = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
    let pages = 0;
    return {
      async queryAsTenant(organizationId, statement) {
        if (/^WITH page/.test(statement.text) && ++pages === page) await meanwhile();
        return queryAsTenant(organizationId, statement);
      },
    };
  };

  it('the organization cannot start a second one, while another organization can', async () => {
    await insert(600);
    const statuses: unknown[] = [];
    const own = organization;
    const busy: TestApi = await createTestApi({
      beside: api,
      replica: {
        onAway: () => undefined,
        replica: pausedAt(2, async () => {
          const second = await exportAs('csv', '', { app: busy });
          organization = 'org_other';
          const other = await exportAs('csv', '', { app: busy });
          organization = own;
          statuses.push(second.status, second.body.code, other.status);
        }),
      },
    });
    expect((await exportAs('csv', '', { app: busy })).status).toBe(200);
    expect(statuses).toEqual([429, 'concurrency_exceeded', 200]);
    expect((await exportAs('csv', '', { app: busy })).status).toBe(200);
  });

  it.each<[string, string, string, boolean]>([
    ['a reader who is removed', 'admin', REMOVE, false],
    ['an admin when the organization is suspended', 'admin', SUSPEND, false],
    ['a reader who denies the application', 'admin', DENY, false],
    ['a reader whose access is revoked', 'admin', REVOKE, false],
    ['a reader whose access was revoked before their sign-in', 'admin', REVOKED_BEFORE, true],
    ['an owner when it is suspended', 'owner', SUSPEND, true],
    ['an owner who is removed from a suspended one', 'owner', `${SUSPEND}; ${REMOVE}`, false],
  ])('for %s: is complete only if they may still read', async (_case, role, text, isComplete) => {
    await insert(3000);
    await get('/me', { roles: [role] }); // creates the member
    const change = () =>
      api.database.asOwner(async (owner) => {
        for (const one of text.split(';')) await owner.query(one, [organization]);
      });
    const busy = await createTestApi({
      beside: api,
      replica: { onAway: () => undefined, replica: pausedAt(2, change) },
    });
    const exported = exportAs('ndjson', '', { app: busy, roles: [role] });
    if (isComplete) expect((await exported).text).toContain('"end":true');
    else await expect(exported).rejects.toThrow('aborted');
  });
});
