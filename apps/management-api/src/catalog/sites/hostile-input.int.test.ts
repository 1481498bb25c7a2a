import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import request from 'supertest';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { Site } from './site.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await createTestApi();
  token = await api.token('org_acme');
});
afterAll(() => api.close());

const RUNS = runs(75);
const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const anyOrigin = fc.oneof(
  anyText,
  fc.webUrl(),
  fc.domain().map((domain) => `https://${domain}`),
  fc.constantFrom('null', 'https://vercel.app', 'http://localhost:1', 'https://[::1]', 'https://__proto__'),
);

async function post(body: string) {
  return request(api.app)
    .post('/api/v1/sites')
    .auth(token, { type: 'bearer' })
    .type('application/json')
    .send(body);
}

function expectAnswer(answer: { status: number; type: string; body: unknown }) {
  expect([200, 201, 400, 404]).toContain(answer.status);
  expect(answer.type).toBe(answer.status < 400 ? 'application/json' : 'application/problem+json');
}

it('returns a site or a problem for any name and origins', async () => {
  const body = fc.record({ name: anyText, allowed_origins: fc.array(anyOrigin, { maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(body, async (site) => {
      const answer = await post(JSON.stringify(site));
      expectAnswer(answer);
      if (answer.status === 201) Site.parse(answer.body);
    }),
    RUNS,
  );
});

it('returns a problem or a site for any JSON, including keys such as __proto__', async () => {
  const hostileKeys = fc
    .constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'id', '')
    .map((key) => `{"name":"a",${JSON.stringify(key)}:{"name":"b"}}`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), hostileKeys), async (body) => {
      expectAnswer(await post(body));
    }),
    RUNS,
  );
});

it('refuses any unknown field', async () => {
  for (const key of ['__proto__', 'constructor', 'id', 'created_at', 'organization_id', '']) {
    const answer = await post(`{"name":"a",${JSON.stringify(key)}:{"x":1}}`);
    expect([key, answer.status]).toEqual([key, 400]);
  }
});

it('returns a problem for any body that is not JSON', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (body) => {
      expectAnswer(await post(body));
    }),
    RUNS,
  );
});

it('returns a page or a problem for any query', async () => {
  const value = fc.oneof(anyText, fc.integer().map(String), fc.double().map(String));
  const query = fc.array(fc.tuple(fc.oneof(fc.constantFrom('limit', 'offset'), anyText), value), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(query, async (pairs) => {
      const search = pairs.map(([name, v]) => `${encode(name)}=${encode(v)}`).join('&');
      expectAnswer(await request(api.app).get(`/api/v1/sites?${search}`).auth(token, { type: 'bearer' }));
    }),
    RUNS,
  );
});

it('returns 404 or another problem for any id', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (id) => {
      const answer = await request(api.app)
        .get(`/api/v1/sites/x${encode(id)}`)
        .auth(token, { type: 'bearer' });
      expect([400, 404]).toContain(answer.status);
    }),
    RUNS,
  );
});

/** Percent-encodes any text, even lone surrogates, for which encodeURIComponent throws. */
const encode = (text: string) =>
  [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

it('returns a problem or a site for any merge patch, origin, sort and search', async () => {
  const { body: site } = await post('{"name":"Patched"}');
  const call = (method: 'get' | 'patch' | 'post' | 'delete', path: string) =>
    request(api.app)[method](`/api/v1/sites${path}`).auth(token, { type: 'bearer' });
  const query = fc.record({ sort: anyText, search: anyText, origin: anyOrigin }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.json(), anyOrigin, query, anyText, async (body, origin, parameters, tag) => {
      expectAnswer(await call('patch', `/${site.id}`).type('application/json').send(body));
      expectAnswer(await call('post', `/${site.id}/origins`).send({ origin, expires_at: tag }));
      expectAnswer(await call('post', `/${site.id}/origins/check`).send({ origin }));
      expectAnswer(await call('delete', `/${site.id}/origins`).query({ origin }));
      expectAnswer(await call('get', '').query(parameters));
    }),
    runs(15),
  );
});
