import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, NOW, type TestApi } from '../../testing/test-api.ts';
import { SiteOrigin } from './site-origin.ts';

let api: TestApi;
let acme: Client;
let path: string;
beforeEach(async () => {
  acme = await clientOf(api, 'org_acme');
  const created = await acme('post', '/sites', { name: 'Portal', allowed_origins: [PERMANENT] });
  path = `/sites/${created.body.id}`;
});
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const PERMANENT = 'https://portal.acme.com';
const PREVIEW = 'https://pr-12.preview.acme.com';
let elapsed = 0;
const at = (seconds: number) => new Date((NOW + elapsed + seconds) * 1000).toISOString();
async function pass(seconds: number) {
  api.advanceSeconds(seconds);
  elapsed += seconds;
  acme = await clientOf(api, 'org_acme');
}
const add = (origin: string, expires_at?: string | null) =>
  acme('post', `${path}/origins`, expires_at === undefined ? { origin } : { origin, expires_at });
const list = async () => (await acme('get', `${path}/origins`)).body.data as SiteOrigin[];
const check = async (origin: string) => (await acme('post', `${path}/origins/check`, { origin })).body;

it('adds one origin without changing the others, and reports whether it existed before', async () => {
  const added = await add('https://B.acme.com/');
  expect([added.status, added.body]).toEqual([201, { origin: 'https://b.acme.com', expires_at: null }]);
  expect((await add('https://b.acme.com')).status).toBe(200);
  const answer = await acme('get', `${path}/origins?limit=1&offset=1`);
  expect(pageOf(SiteOrigin).parse(answer.body)).toEqual({
    data: [{ origin: 'https://b.acme.com', expires_at: null }],
    pagination: { total: 2, limit: 1, offset: 1, has_more: false },
  });
  const site = await acme('get', path);
  expect([site.headers.etag, site.body.allowed_origins]).toEqual(['"2"', [PERMANENT, 'https://b.acme.com']]);
});

it('loses none of several concurrent additions', async () => {
  const origins = Array.from({ length: 12 }, (_, i) => `https://n${i}.acme.com`);
  const answers = await Promise.all(origins.map((origin) => add(origin)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(201));
  const all = (await acme('get', path)).body.allowed_origins;
  expect([...all].sort()).toEqual([PERMANENT, ...origins].sort());
});

it('removes an origin in any spelling, and returns 404 the second time', async () => {
  await add(PREVIEW);
  expect((await acme('delete', `${path}/origins?origin=https://PR-12.preview.acme.com/`)).status).toBe(204);
  expect((await acme('delete', `${path}/origins?origin=${PREVIEW}`)).status).toBe(404);
  expect((await acme('get', path)).body.allowed_origins).toEqual([PERMANENT]);
});

describe('a temporary origin', () => {
  it('exists until it expires, and the ETag changes when it does', async () => {
    expect((await add(PREVIEW, at(3600))).body).toEqual({ origin: PREVIEW, expires_at: at(3600) });
    const before = await acme('get', path);
    expect(before.body.allowed_origins).toEqual([PERMANENT, PREVIEW]);
    expect(await check(PREVIEW)).toMatchObject({ allowed: true, matched: PREVIEW });
    expect((await acme('get', `/sites?origin=${PREVIEW}`)).body.pagination.total).toBe(1);
    await pass(3600);
    const after = await acme('get', path, undefined, { 'If-None-Match': before.headers.etag as string });
    expect([after.status, after.body.allowed_origins]).toEqual([200, [PERMANENT]]);
    expect(await list()).toEqual([{ origin: PERMANENT, expires_at: null }]);
    expect((await acme('get', `/sites?origin=${PREVIEW}`)).body.pagination.total).toBe(0);
    expect(await check(PREVIEW)).toEqual({
      allowed: false,
      normalized: PREVIEW,
      matched: null,
      reason: 'origin_expired',
    });
    expect((await acme('delete', `${path}/origins?origin=${PREVIEW}`)).status).toBe(404);
    expect((await add(PREVIEW, at(60))).status).toBe(201);
  });

  it('is extended by adding it again, but never shortened, and a permanent one stays permanent', async () => {
    await add(PREVIEW, at(600));
    expect((await add(PREVIEW, at(1200))).body.expires_at).toBe(at(1200));
    expect((await add(PREVIEW, at(60))).body.expires_at).toBe(at(1200));
    expect((await add(PERMANENT, at(60))).body.expires_at).toBeNull();
    const made = await add(PREVIEW);
    expect([made.status, made.body.expires_at]).toEqual([200, null]);
  });

  it('stays when the permanent origins are changed, and does not become permanent if it is sent back', async () => {
    await add(PREVIEW, at(600));
    const { body: site } = await acme('get', path);
    await acme('patch', path, { ...site, allowed_origins: [PREVIEW, 'https://new.acme.com'] });
    expect(await list()).toEqual([
      { origin: PREVIEW, expires_at: at(600) },
      { origin: 'https://new.acme.com', expires_at: null },
    ]);
    await acme('patch', path, { allowed_origins: [PERMANENT] });
    expect(await list()).toEqual([
      { origin: PERMANENT, expires_at: null },
      { origin: PREVIEW, expires_at: at(600) },
    ]);
    await acme('patch', path, { allowed_origins: ['https://x.acme.com', 'https://y.acme.com'] });
    expect((await list()).map((entry) => entry.origin)).toEqual([
      'https://x.acme.com',
      'https://y.acme.com',
      PREVIEW,
    ]);
  });

  it.each([
    ['a past time', () => at(0), 'out_of_range'],
    ['more than 30 days', () => at(30 * 24 * 3600 + 1), 'out_of_range'],
    ['no time', () => 'tomorrow', 'invalid_format'],
    ['a date', () => '2026-12-01', 'invalid_format'],
    ['a day that does not exist', () => '2026-02-30T00:00:00Z', 'invalid_format'],
    ['a number', () => 7, 'invalid_type'],
  ])('is refused with %s', async (_case, expiresAt, fault) => {
    const answer = await acme('post', `${path}/origins`, { origin: PREVIEW, expires_at: expiresAt() });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '/expires_at', code: fault })],
    ]);
  });
});

it('is refused beyond 50 origins, however they are added', async () => {
  await acme('patch', path, {
    allowed_origins: Array.from({ length: 49 }, (_, i) => `https://n${i}.acme.com`),
  });
  expect((await add(PREVIEW, at(60))).status).toBe(201);
  const over = await add('https://one-more.acme.com');
  expect([over.status, over.body.code]).toEqual([409, 'origin_limit_reached']);
  expect((await add(PREVIEW, at(120))).status).toBe(200);
  const patched = await acme('patch', path, {
    allowed_origins: Array.from({ length: 50 }, (_, i) => `https://n${i}.acme.com`),
  });
  expect([patched.status, patched.body.code]).toEqual([409, 'origin_limit_reached']);
  expect((await acme('get', path)).body.allowed_origins).toHaveLength(50);
});

it.each([
  [PERMANENT, { allowed: true, normalized: PERMANENT, matched: PERMANENT, reason: null }],
  ['https://PORTAL.acme.com:443', { allowed: true, normalized: PERMANENT, matched: PERMANENT, reason: null }],
  [
    'https://portal.acme.com.evil.example',
    {
      allowed: false,
      normalized: 'https://portal.acme.com.evil.example',
      matched: null,
      reason: 'origin_not_allowed',
    },
  ],
  [
    'https://portal.acme.com/path',
    { allowed: false, normalized: null, matched: null, reason: 'origin_has_path' },
  ],
  ['null', { allowed: false, normalized: null, matched: null, reason: 'origin_invalid' }],
  ['\u0000', { allowed: false, normalized: null, matched: null, reason: 'origin_invalid' }],
])('reports whether %j may embed, and the reason if not', async (origin, expected) => {
  expect(await check(origin)).toEqual(expected);
});

it('records each change in the audit trail', async () => {
  await add(PREVIEW, at(60));
  await add(PREVIEW, at(120));
  await add(PREVIEW, at(120));
  await acme('delete', `${path}/origins?origin=${PREVIEW}`);
  const trail = await auditTrailOf(api, path.replace('/sites/', ''));
  expect(trail.slice(1).map((event) => [event.action, event.changes])).toEqual([
    ['site.origin_added', { origin: { from: null, to: { origin: PREVIEW, expires_at: at(60) } } }],
    [
      'site.origin_extended',
      {
        origin: {
          from: { origin: PREVIEW, expires_at: at(60) },
          to: { origin: PREVIEW, expires_at: at(120) },
        },
      },
    ],
    ['site.origin_removed', { origin: { from: { origin: PREVIEW, expires_at: at(120) }, to: null } }],
  ]);
});

it('needs the scope to write sites for each change, and the scope to read them for a check', async () => {
  const viewer = await clientOf(api, 'org_acme', { sub: 'user_viewer', roles: ['viewer'] });
  expect((await viewer('post', `${path}/origins`, { origin: PREVIEW })).status).toBe(403);
  expect((await viewer('delete', `${path}/origins?origin=${PERMANENT}`)).status).toBe(403);
  expect((await viewer('patch', path, { name: 'x' })).status).toBe(403);
  expect((await viewer('delete', path)).status).toBe(403);
  expect((await viewer('post', `${path}/restore`)).status).toBe(403);
  expect((await viewer('post', `${path}/origins/check`, { origin: PERMANENT })).body.allowed).toBe(true);
});

it.each(['%00', 'a%20b'])('finds no site for the id %s', async (id) => {
  const calls = [
    acme('get', `/sites/${id}/origins`),
    acme('post', `/sites/${id}/origins`, { origin: PREVIEW }),
    acme('delete', `/sites/${id}/origins?origin=${PREVIEW}`),
    acme('post', `/sites/${id}/origins/check`, { origin: PREVIEW }),
    acme('patch', `/sites/${id}`, { name: 'x' }),
    acme('delete', `/sites/${id}`),
    acme('post', `/sites/${id}/restore`),
  ];
  expect((await Promise.all(calls)).map((answer) => answer.status)).toEqual(Array(7).fill(404));
});
