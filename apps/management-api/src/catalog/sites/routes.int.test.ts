import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import request from 'supertest';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { Site } from './site.ts';

let api: TestApi;
let acme: string;
let globex: string;
beforeAll(async () => {
  api = await createTestApi();
  acme = await api.token('org_acme');
  globex = await api.token('org_globex');
});
afterAll(() => api.close());

const get = (path: string, token = acme) => request(api.app).get(path).auth(token, { type: 'bearer' });
const post = (body: unknown, token = acme, path = '/api/v1/sites') =>
  request(api.app)
    .post(path)
    .auth(token, { type: 'bearer' })
    .send(body as object);

describe('creating a site', () => {
  it('returns 201 with exactly the four fields, Location and ETag; the site is then found', async () => {
    const created = await post({
      name: ' Customer portal ',
      allowed_origins: ['https://Portal.acme.com:443/'],
    });
    expect(created.status).toBe(201);
    expect(Site.parse(created.body)).toEqual({
      id: expect.stringMatching(/^site_[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'Customer portal',
      allowed_origins: ['https://portal.acme.com'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(created.headers.location).toBe(`/api/v1/sites/${created.body.id}`);
    expect(created.headers.etag).toBe('"1"');
    const found = await get(created.headers.location as string);
    expect([found.status, found.headers.etag, found.body]).toEqual([200, '"1"', created.body]);
  });

  it('allows no origin by default, keeps the order of origins, and removes duplicates', async () => {
    expect((await post({ name: 'Without' })).body.allowed_origins).toEqual([]);
    const allowed_origins = ['https://b.example.com', 'http://localhost:3000', 'https://a.example.com'];
    const created = await post({
      name: 'Many',
      allowed_origins: [...allowed_origins, 'https://B.example.com/'],
    });
    expect(created.body.allowed_origins).toEqual(allowed_origins);
    expect((await get(`/api/sites/${created.body.id}`)).body).toEqual(created.body);
  });

  it('reports all faults of a body, and saves nothing', async () => {
    const before = (await get('/api/v1/sites')).body.pagination.total;
    const answer = await post({
      name: '',
      allowed_origins: ['https://ok.example.com', 'https://a.example.com/path', 7],
      'a/b': 1,
    });
    expect([answer.status, answer.body.code, answer.type]).toEqual([
      400,
      'validation_failed',
      'application/problem+json',
    ]);
    const faults = answer.body.errors.map((fault: Record<string, string>) => [fault.pointer, fault.code]);
    expect(faults.sort()).toEqual([
      ['/allowed_origins/1', 'origin_has_path'],
      ['/allowed_origins/2', 'invalid_type'],
      ['/a~1b', 'unknown_field'],
      ['/name', 'too_short'],
    ]);
    expect((await get('/api/v1/sites')).body.pagination.total).toBe(before);
  });

  it.each([
    ['no name', {}, '/name', 'required'],
    ['a name that is no text', { name: 1 }, '/name', 'invalid_type'],
    ['a long name', { name: 'x'.repeat(101) }, '/name', 'too_long'],
    ['a control character', { name: 'a\u0000b' }, '/name', 'invalid_format'],
    ['half a character', { name: 'a\ud800' }, '/name', 'invalid_format'],
    ['null origins', { name: 'a', allowed_origins: null }, '/allowed_origins', 'invalid_type'],
    [
      'too many origins',
      { name: 'a', allowed_origins: Array.from({ length: 51 }, (_, i) => `https://a${i}.example.com`) },
      '/allowed_origins',
      'too_many_items',
    ],
    [
      'a long origin',
      { name: 'a', allowed_origins: [`https://${'a'.repeat(300)}`] },
      '/allowed_origins/0',
      'too_long',
    ],
    ['a field of the server', { name: 'a', id: 'site_1' }, '/id', 'unknown_field'],
    ['an array', [], '', 'invalid_type'],
  ])('refuses %s', async (_case, body, pointer, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]]);
  });

  it('counts the characters of a name in code points after NFC', async () => {
    const name = `${'\u{1F600}'.repeat(99)}e\u0301`;
    const created = await post({ name });
    expect([created.status, created.body.name]).toEqual([201, `${'\u{1F600}'.repeat(99)}\u00e9`]);
  });

  it('accepts only JSON of at most 100 KB', async () => {
    const raw = (type: string, body: string) =>
      request(api.app).post('/api/v1/sites').auth(acme, { type: 'bearer' }).type(type).send(body);
    const large = await raw('application/json', JSON.stringify({ name: 'x'.repeat(100 * 1024) }));
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    const form = await raw('application/x-www-form-urlencoded', 'name=a');
    expect([form.status, form.body.code, form.headers.accept]).toEqual([
      415,
      'unsupported_media_type',
      'application/json',
    ]);
    const malformed = await raw('application/json', '{"name":');
    expect([malformed.status, malformed.body.code]).toEqual([400, 'malformed_json']);
    const latin = await raw('application/json; charset=latin1', '{"name":"a"}');
    expect([latin.status, latin.body.code]).toEqual([415, 'unsupported_media_type']);
    const empty = await raw('application/json', '');
    expect([empty.status, empty.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: '/name', code: 'required' })],
    ]);
    expect((await raw('application/json; charset=utf-8', '{"name":"a"}')).status).toBe(201);
  });
});

describe('other tenants', () => {
  it("cannot see this organization's sites, neither in a list nor by id", async () => {
    const { body: site } = await post({ name: 'Secret plans', allowed_origins: ['https://secret.acme.com'] });
    const foreign = await get(`/api/v1/sites/${site.id}`, globex);
    const missing = await get('/api/v1/sites/site_none', globex);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
    const { request_id: _a, instance: _b, ...foreignBody } = foreign.body;
    const { request_id: _c, instance: _d, ...missingBody } = missing.body;
    expect(foreignBody).toEqual(missingBody);
    const list = await get('/api/v1/sites', globex);
    expect(list.body).toEqual({
      data: [],
      pagination: { total: 0, limit: 20, offset: 0, has_more: false },
    });
  });

  it.each(['%00', '..%2f', 'a%20b', 'x'.repeat(200), '%ED%A0%80'])(
    'finds nothing for the id %s',
    async (id) => {
      expect([400, 404]).toContain((await get(`/api/v1/sites/${id}`)).status);
    },
  );
});

describe('paths and methods', () => {
  it('gives the same responses with and without a version in the path', async () => {
    const [versioned, latest] = [await get('/api/v1/sites'), await get('/api/sites')];
    expect(latest.body).toEqual(versioned.body);
    expect([versioned.headers['api-version'], latest.headers['api-version']]).toEqual(['v1', 'v1']);
    const created = await post({ name: 'Alias' }, acme, '/api/sites');
    expect([created.status, created.headers.location]).toEqual([201, `/api/v1/sites/${created.body.id}`]);
  });

  it.each([
    ['/api/v2/sites', 'unsupported_version'],
    ['/api/v2', 'unsupported_version'],
    ['/api/v1/v1/sites', 'not_found'],
    ['/api/unknown', 'not_found'],
    ['/unknown', 'not_found'],
  ])('returns 404 for %s', async (path, code) => {
    const answer = await get(path);
    expect([answer.status, answer.body.code, answer.type]).toEqual([404, code, 'application/problem+json']);
  });

  it.each([
    ['put', '/api/v1/sites', 'GET, HEAD, POST'],
    ['delete', '/api/v1/sites', 'GET, HEAD, POST'],
    ['post', '/api/v1/sites/site_1', 'GET, HEAD, PATCH, DELETE'],
    ['get', '/api/v1/sites/site_1/restore', 'POST'],
    ['put', '/api/v1/sites/site_1/origins', 'GET, HEAD, POST, DELETE'],
    ['get', '/api/v1/sites/site_1/origins/check', 'POST'],
  ] as const)('answers 405 to %s %s and names what is allowed', async (method, path, allow) => {
    const answer = await request(api.app)[method](path).auth(acme, { type: 'bearer' });
    expect([answer.status, answer.body.code, answer.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      allow,
    ]);
  });

  it('responds to HEAD as to GET, and returns 304 to a client that has the current version', async () => {
    const { body: site } = await post({ name: 'Cached' });
    const head = await request(api.app).head(`/api/v1/sites/${site.id}`).auth(acme, { type: 'bearer' });
    expect([head.status, head.headers.etag, head.text]).toEqual([200, '"1"', undefined]);
    const cached = await get(`/api/v1/sites/${site.id}`).set('If-None-Match', '"1"');
    expect([cached.status, cached.headers.etag]).toEqual([304, '"1"']);
  });

  it('forbids shared caches to store responses', async () => {
    const { headers } = await get('/api/v1/sites');
    expect([headers['cache-control'], headers.vary]).toEqual(['private, no-cache', 'Origin, Authorization']);
  });

  it.each([
    ['limit=0', 'validation_failed', 'limit', 'out_of_range'],
    ['limit=101', 'validation_failed', 'limit', 'out_of_range'],
    ['limit=1e2', 'validation_failed', 'limit', 'invalid_format'],
    ['limit=', 'validation_failed', 'limit', 'invalid_format'],
    ['limit=5&limit=5', 'validation_failed', 'limit', 'invalid_type'],
    ['offset=-1', 'validation_failed', 'offset', 'invalid_format'],
    ['page=2', 'unknown_parameter', 'page', 'unknown_field'],
  ])('refuses the query %s', async (query, code, parameter, fault) => {
    const answer = await get(`/api/v1/sites?${query}`);
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
      400,
      code,
      [expect.objectContaining({ parameter, code: fault })],
    ]);
  });

  it('returns a page with exactly the documented members', async () => {
    const answer = await get('/api/v1/sites?limit=1&offset=1');
    expect(pageOf(Site).parse(answer.body).pagination).toMatchObject({ limit: 1, offset: 1, has_more: true });
  });
});
