import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { Site } from './site.ts';

let api: TestApi;
let acme: Client;
let site: Site;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, 'org_acme', { email: 'alice@acme.example' });
  const created = await acme('post', '/sites', {
    name: 'Portal',
    allowed_origins: ['https://a.acme.com', 'https://b.acme.com'],
  });
  site = Site.parse(created.body);
});

const path = () => `/sites/${site.id}`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];

describe('changing a site', () => {
  it('changes exactly the fields that are sent, and the ETag', async () => {
    const renamed = await acme('patch', path(), { name: 'New name' });
    expect([renamed.status, renamed.headers.etag]).toEqual([200, '"2"']);
    expect(Site.parse(renamed.body)).toEqual({ ...site, name: 'New name' });
    const moved = await acme('patch', path(), {
      allowed_origins: ['https://C.acme.com/', 'https://a.acme.com'],
    });
    expect(moved.body.allowed_origins).toEqual(['https://c.acme.com', 'https://a.acme.com']);
    const found = await acme('get', path());
    expect([found.headers.etag, found.body]).toEqual(['"3"', moved.body]);
    const emptied = await acme('patch', path(), { allowed_origins: [] });
    expect(emptied.body.allowed_origins).toEqual([]);
  });

  it('accepts its own response as a patch, and keeps the version if nothing changed', async () => {
    const same = await acme('patch', path(), site);
    expect([same.status, same.headers.etag, same.body]).toEqual([200, '"1"', site]);
    const changed = await acme('patch', path(), { ...site, name: 'Other' });
    expect([changed.status, changed.body.name]).toEqual([200, 'Other']);
    expect((await auditTrailOf(api, site.id)).map((event) => event.action)).toEqual([
      'site.created',
      'site.updated',
    ]);
  });

  it.each([
    ['another id', { id: 'site_other' }, '/id', 'field_read_only'],
    ['another time', { created_at: '2020-01-01T00:00:00.000Z' }, '/created_at', 'field_read_only'],
    ['an unknown field', { title: 'x' }, '/title', 'unknown_field'],
    ['the prototype', JSON.parse('{"__proto__":{"name":"x"}}'), '/__proto__', 'unknown_field'],
    ['no name any more', { name: null }, '/name', 'invalid_type'],
    ['no origins any more', { allowed_origins: null }, '/allowed_origins', 'invalid_type'],
    [
      'a bad origin',
      { name: 'ok', allowed_origins: ['https://*.acme.com'] },
      '/allowed_origins/0',
      'origin_wildcard_unsupported',
    ],
    ['an array', [], '', 'invalid_type'],
  ])('refuses %s, and saves nothing', async (_case, body, pointer, fault) => {
    const answer = await acme('patch', path(), body);
    expect(code(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code: fault })]);
    expect((await acme('get', path())).body).toEqual(site);
  });

  it('accepts merge patches and JSON, and lists these types when it refuses another type', async () => {
    const type = (contentType: string) =>
      acme('patch', path(), '{"name":"Typed"}', { 'Content-Type': contentType });
    expect((await type('application/merge-patch+json')).status).toBe(200);
    expect((await type('application/json')).status).toBe(200);
    const refused = await type('application/json-patch+json');
    expect(code(refused)).toEqual([415, 'unsupported_media_type']);
    expect(refused.headers['accept-patch']).toBe('application/merge-patch+json, application/json');
  });

  it.each([
    ['the current version', '"1"', 200],
    ['one of several', '"7", "1"', 200],
    ['any', '*', 200],
    ['an older one', '"0"', 412],
    ['a weak tag', 'W/"1"', 412],
    ['no tag', '1', 412],
  ])('with If-Match of %s returns the expected status', async (_case, tag, status) => {
    const answer = await acme('patch', path(), { name: 'Matched' }, { 'If-Match': tag });
    expect(answer.status).toBe(status);
    if (status === 412) {
      expect([answer.body.code, answer.headers.etag]).toEqual(['version_mismatch', '"1"']);
      expect((await acme('get', path())).body).toEqual(site);
    }
  });

  it('allows only one of several concurrent changes of the same version', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => acme('patch', path(), { name: `N${i}` }, { 'If-Match': '"1"' })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(412)]);
    expect((await acme('get', path())).headers.etag).toBe('"2"');
  });
});

describe('deleting a site', () => {
  it('hides the site everywhere, and allows restoring it unchanged for 30 days', async () => {
    expect(code(await acme('delete', path(), undefined, { 'If-Match': '"9"' }))).toEqual([
      412,
      'version_mismatch',
    ]);
    const deleted = await acme('delete', path());
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const [method, sub] of [
      ['get', ''],
      ['patch', ''],
      ['delete', ''],
      ['get', '/origins'],
    ] as const) {
      const body = method === 'patch' ? {} : undefined;
      expect(code(await acme(method, path() + sub, body))).toEqual([404, 'not_found']);
    }
    const ids = (await acme('get', '/sites?limit=100')).body.data.map((item: Site) => item.id);
    expect(ids).not.toContain(site.id);

    api.advanceSeconds(30 * 24 * 3600 - 60);
    acme = await clientOf(api, 'org_acme');
    const restored = await acme('post', `${path()}/restore`);
    expect([restored.status, restored.body]).toEqual([200, site]);
    expect((await acme('get', path())).headers.etag).toBe(restored.headers.etag);
    expect((await acme('post', `${path()}/restore`)).headers.etag).toBe(restored.headers.etag);
  });

  it('is permanent after 30 days', async () => {
    await acme('delete', path());
    api.advanceSeconds(30 * 24 * 3600);
    acme = await clientOf(api, 'org_acme');
    expect(code(await acme('post', `${path()}/restore`))).toEqual([404, 'not_found']);
  });
});

it('returns 404 when another organization tries to read, change, delete or restore the site', async () => {
  const globex = await clientOf(api, 'org_globex');
  const calls = [
    globex('patch', path(), { name: 'Stolen' }),
    globex('delete', path()),
    globex('post', `${path()}/restore`),
    globex('get', `${path()}/origins`),
    globex('post', `${path()}/origins`, { origin: 'https://evil.example' }),
    globex('delete', `${path()}/origins?origin=https://a.acme.com`),
    globex('post', `${path()}/origins/check`, { origin: 'https://a.acme.com' }),
  ];
  for (const answer of await Promise.all(calls)) expect(code(answer)).toEqual([404, 'not_found']);
  expect((await acme('get', path())).body).toEqual(site);
});

it('records who changed what in the audit trail, in the transaction of the change', async () => {
  const headers = { 'X-Request-Id': 'req_of_the_caller', 'User-Agent': 'test/1' };
  const patched = await acme('patch', path(), { name: 'Audited' }, headers);
  await acme('delete', path());
  await acme('post', `${path()}/restore`);
  const trail = await auditTrailOf(api, site.id);
  expect(trail.map((event) => [event.action, event.changes])).toEqual([
    [
      'site.created',
      { name: { from: null, to: 'Portal' }, allowed_origins: { from: null, to: site.allowed_origins } },
    ],
    ['site.updated', { name: { from: 'Portal', to: 'Audited' } }],
    ['site.deleted', null],
    ['site.restored', null],
  ]);
  expect(trail[1]).toMatchObject({
    actor: { type: 'user', id: 'user_alice', email: 'alice@acme.example' },
    targets: [{ type: 'site', id: site.id, name: 'Audited' }],
    context: { request_id: patched.get('X-Request-Id'), user_agent: 'test/1', ip: expect.any(String) },
  });
});

describe('the list', () => {
  let lister: Client;
  const names = async (query: string) =>
    (await lister('get', `/sites?${query}`)).body.data.map((item: Site) => item.name);
  beforeAll(async () => {
    lister = await clientOf(api, 'org_lists');
    for (const [name, origin] of [
      ['Beta 100%', 'https://one.example.com'],
      ['alpha', 'https://two.example.com'],
      ['Gamma_x', 'https://one.example.com'],
    ] as const) {
      await lister('post', '/sites', { name, allowed_origins: [origin] });
    }
  });

  it.each([
    ['', ['Beta 100%', 'alpha', 'Gamma_x']],
    ['sort=-created_at', ['Gamma_x', 'alpha', 'Beta 100%']],
    ['search=ALPHA', ['alpha']],
    ['search=%25', ['Beta 100%']],
    ['search=_', ['Gamma_x']],
    ['search=nothing', []],
    ['origin=https://One.example.com/', ['Beta 100%', 'Gamma_x']],
    ['origin=https://one.example.com&search=beta', ['Beta 100%']],
    ['origin=https://other.example.com', []],
  ])('for %j contains the matching sites', async (query, expected) => {
    lister = await clientOf(api, 'org_lists');
    expect(await names(query)).toEqual(expected);
  });

  it('is ordered by name, ascending or descending', async () => {
    lister = await clientOf(api, 'org_lists');
    const ascending = await names('sort=name');
    expect(ascending).toHaveLength(3);
    expect(await names('sort=-name')).toEqual([...ascending].reverse());
  });

  it('counts the sites that the filter selects', async () => {
    lister = await clientOf(api, 'org_lists');
    const { body } = await lister('get', '/sites?origin=https://one.example.com&limit=1');
    expect(body.pagination).toEqual({ total: 2, limit: 1, offset: 0, has_more: true });
  });

  it.each([
    ['sort=id', 'sort', 'invalid_enum'],
    ['search=', 'search', 'too_short'],
    ['search=%00', 'search', 'invalid_format'],
    ['origin=one.example.com', 'origin', 'origin_invalid'],
  ])('is refused for %s', async (query, parameter, fault) => {
    const answer = await acme('get', `/sites?${query}`);
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [expect.objectContaining({ parameter, code: fault })],
    ]);
  });
});
