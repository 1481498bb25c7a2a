import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import request from 'supertest';
import type { TenantReader } from '../storage/reader.ts';
import { type Client, clientOf } from '../testing/client.ts';
import { createTestApi, type TestApi } from '../testing/test-api.ts';

/** 80 KB: the maximum length of instructions */
const INSTRUCTIONS = '🦊'.repeat(19_999);
const PAGE_BYTES = 512 * 1024;
const ENVELOPE_BYTES = 1024;

let api: TestApi;
let acme: Client;
let organization: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  acme = await clientOf(api, organization, { roles: ['owner'] });
});

describe('repeated changes of the instructions of an agent', () => {
  it('write two kilobytes to the audit trail for each change, with a digest of the text', async () => {
    const { body: agent } = await acme('post', '/agents', { name: 'A' });
    for (const last of 'abcdef') {
      await acme('patch', `/agents/${agent.id}`, { instructions: INSTRUCTIONS + last });
    }
    const { rows } = await api.database.asOwner((owner) =>
      owner.query(
        'SELECT max(octet_length(e::text)) AS largest FROM audit_events e WHERE organization_id = $1',
        [organization],
      ),
    );
    expect(rows[0].largest).toBeLessThan(2048);

    const { body } = await acme('get', '/audit-events?action=agent.updated&limit=1');
    expect(body.data[0].changes.instructions.to).toEqual({
      length: 20_000,
      sha256: createHash('sha256').update(`${INSTRUCTIONS}f`).digest('hex'),
      excerpt: '🦊'.repeat(100),
    });
    expect((await acme('get', `/agents/${agent.id}`)).body.instructions).toBe(`${INSTRUCTIONS}f`);
  });

  it('do not make lists longer: only the single agent contains instructions', async () => {
    for (let made = 0; made < 3; made++) {
      await acme('post', '/agents', { name: 'A', instructions: INSTRUCTIONS });
    }
    const { text, body } = await acme('get', '/agents');
    expect([body.data.length, 'instructions' in body.data[0]]).toEqual([3, false]);
    expect(text.length).toBeLessThan(2048);
  });
});

describe('a page of large items', () => {
  /** Written directly to the database, because the API records no events of this size */
  const fill = (events: number, bytes: number) =>
    api.database.asOwner((owner) =>
      owner.query(
        `INSERT INTO audit_events (id, organization_id, action, actor, targets, changes, context)
       SELECT 'evt_' || $1 || '_' || i, $1, 'agent.updated', '{"type":"user","id":"u","email":null}', '[]',
         jsonb_build_object('instructions', jsonb_build_object('from', null, 'to', repeat('x', $3::int))),
         '{"request_id":null,"ip":null,"user_agent":null}'
       FROM generate_series(1, $2::int) i`,
        [organization, events, bytes],
      ),
    );

  it('is limited by bytes, and its links lead through all events', async () => {
    await fill(80, 16_000);
    const ids: string[] = [];
    let pages = 0;
    for (let offset = 0, hasMore = true; hasMore; pages++) {
      const { text, body } = await acme(
        'get',
        `/audit-events?action=agent.updated&limit=100&offset=${offset}`,
      );
      expect(text.length).toBeLessThan(PAGE_BYTES + ENVELOPE_BYTES);
      expect(body.pagination).toEqual({
        total: 80,
        limit: body.pagination.has_more ? body.data.length : 100,
        offset,
        has_more: offset + body.data.length < 80,
      });
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      offset += body.pagination.limit;
      hasMore = body.pagination.has_more;
    }
    expect([new Set(ids).size, pages]).toEqual([80, 3]);
  });

  it('omits values that are too long, and names them; the single event contains them', async () => {
    await fill(2, PAGE_BYTES + 1);
    const { body } = await acme('get', '/audit-events?action=agent.updated');
    expect([body.data.length, body.data[0].changes, body.data[0].truncated]).toEqual([2, null, ['changes']]);
    const one = await acme('get', `/audit-events/${body.data[0].id}`);
    expect([one.body.changes.instructions.to.length, one.body.truncated]).toEqual([PAGE_BYTES + 1, null]);
  });
});

describe('a page of a list', () => {
  it('is limited by bytes, holds at least one item, and leads through all of them in order', async () => {
    await acme('get', '/sites'); // creates the organization
    const origins = [7000, 2500, 2500, 2500, 1]; // of some 80 bytes each, which is more than the API accepts
    await api.database.asOwner(async (owner) => {
      await owner.query(
        `INSERT INTO sites (organization_id, id, name) SELECT $1, 'site_' || i, 'site ' || i FROM generate_series(1, 5) i`,
        [organization],
      );
      await owner.query(
        `INSERT INTO site_origins (organization_id, site_id, origin, position)
         SELECT $1, 'site_' || i, 'https://o' || n || '.' || repeat('x', 60) || '.example', n
         FROM unnest($2::int[]) WITH ORDINALITY AS c (origins, i), generate_series(1, origins) n`,
        [organization, origins],
      );
    });
    const pages: string[][] = [];
    for (let offset = 0, hasMore = true; hasMore; ) {
      const { body } = await acme('get', `/sites?sort=name&offset=${offset}`);
      pages.push(body.data.map(({ id }: { id: string }) => id));
      offset += body.pagination.limit;
      hasMore = body.pagination.has_more;
    }
    expect(pages.map(({ length }) => length)).toEqual([1, 2, 2]);
    expect(pages.flat()).toEqual(origins.map((_, i) => `site_${i + 1}`));
  });
});

it('refuses an organization with too many concurrent requests, and no other', async () => {
  const held: (() => void)[] = [];
  const replica: TenantReader = {
    queryAsTenant: () =>
      new Promise((resolve) => {
        held.push(() => resolve([]));
      }),
  };
  const busy = await createTestApi({
    beside: api,
    replica: { replica, onAway: () => undefined },
    concurrentRequests: 2,
  });
  const get = async (path: string, org: string) =>
    request(busy.app)
      .get(`/api/v1${path}`)
      .auth(await busy.token(org), { type: 'bearer' });
  const running = [get('/audit-events', 'org_acme'), get('/audit-events', 'org_acme')];
  await eventually('both requests', () => held.length === 2);

  try {
    const refused = await get('/sites', 'org_acme');
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'concurrency_exceeded',
      '1',
    ]);
    expect(refused.headers['x-ratelimit-limit']).toBe('60');
    expect((await get('/sites', 'org_globex')).status).toBe(200);
  } finally {
    for (const release of held) release();
    await Promise.all(running);
  }
  expect((await get('/sites', 'org_acme')).status).toBe(200);
  await busy.close();
});
