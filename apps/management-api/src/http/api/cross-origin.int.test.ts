import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

const CONSOLE = 'https://console.example';
/** A customer's site, which may embed an agent */
const SITE = 'https://shop.customer.example';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await createTestApi({ allowedOrigins: [CONSOLE, 'http://localhost:5173'] });
  token = await api.token('org_acme');
});
afterAll(() => api.close());

const get = (path: string, origin: string) =>
  request(api.app).get(path).set('Origin', origin).auth(token, { type: 'bearer' });

const preflight = (path: string, origin: string, method: string) =>
  request(api.app).options(path).set({
    Origin: origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers':
      'authorization,content-type,idempotency-key,if-match,if-none-match,traceparent,tracestate',
  });

const list = (header: string | undefined) =>
  (header ?? '').split(',').map((item) => item.trim().toLowerCase());

describe('a page of the console', () => {
  it('may read responses, with the headers that clients need, and without credentials', async () => {
    const answer = await get('/api/v1/sites', CONSOLE);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(CONSOLE);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    const exposed = list(answer.headers['access-control-expose-headers']);
    for (const header of Object.keys(answer.headers).filter((name) =>
      /ratelimit|^x-request|^api-/.test(name),
    ))
      expect(exposed).toContain(header);
    expect(exposed).toEqual(
      expect.arrayContaining(['etag', 'location', 'retry-after', 'idempotent-replayed', 'www-authenticate']),
    );
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'may send %s after a preflight that needs no token',
    async (method) => {
      const answer = await preflight('/api/v1/sites', CONSOLE, method);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': CONSOLE,
        'access-control-max-age': '600',
      });
      expect(list(answer.headers['access-control-allow-methods'])).toContain(method.toLowerCase());
      expect(list(answer.headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'idempotency-key',
          'if-match',
          'if-none-match',
          'traceparent',
          'tracestate',
        ]),
      );
      expect(answer.headers).not.toHaveProperty('x-ratelimit-remaining');
    },
  );

  it('may send preflights, which do not count against the plan', async () => {
    const remaining = async () => (await get('/api/v1/rate-limit', CONSOLE)).body.remaining;
    const before = await remaining();
    for (let i = 0; i < 5; i += 1) await preflight('/api/v1/sites', CONSOLE, 'POST').expect(204);
    expect(await remaining()).toBe(before);
  });

  it.each([
    ['401', '/api/v1/sites', ''],
    ['404', '/api/v1/nothing', undefined],
    ['404 of a version', '/api/v9/sites', undefined],
    ['400', '/api/v1/sites?limit=0', undefined],
  ])('may read a refusal with %s', async (status, path, bearer) => {
    const answer = await get(path, CONSOLE).auth(bearer ?? token, { type: 'bearer' });
    expect(answer.status).toBe(Number.parseInt(status, 10));
    expect(answer.headers['access-control-allow-origin']).toBe(CONSOLE);
    expect(answer.body.code).toEqual(expect.any(String));
  });
});

describe('a page of another origin', () => {
  it.each([
    ['a stranger', 'https://evil.example'],
    ['a subdomain', `https://a.console.example`],
    ['an origin that begins alike', `${CONSOLE}.evil.example`],
    ['another scheme', 'http://console.example'],
    ['another port', `${CONSOLE}:8443`],
    ['a slash more', `${CONSOLE}/`],
    ['another case', 'https://CONSOLE.example'],
    ['a sandboxed frame', 'null'],
    ['a list', `${CONSOLE}, https://evil.example`],
    ['a property of every object', 'constructor'],
  ])('may read nothing: %s', async (_case, origin) => {
    for (const answer of [
      await get('/api/v1/sites', origin),
      await preflight('/api/v1/sites', origin, 'POST'),
    ])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('may read nothing even if it is allowed to embed an agent', async () => {
    const site = await request(api.app)
      .post('/api/v1/sites')
      .auth(token, { type: 'bearer' })
      .send({ name: 'Shop', allowed_origins: [SITE] });
    expect(site.status).toBe(201);
    const answers = [
      await get(`/api/v1/sites/${site.body.id}`, SITE),
      await preflight(`/api/v1/sites/${site.body.id}`, SITE, 'PATCH'),
    ];
    for (const answer of answers) expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a shared cache', () => {
  it.each([
    ['an answer', '/api/v1/sites', {}],
    ['an answer without an origin', '/api/v1/sites', { Origin: undefined }],
    ['a refusal', '/api/v1/sites', { Authorization: 'Bearer nonsense' }],
    ['an unknown path', '/api/nothing', {}],
    ['an unknown version', '/api/v9/sites', {}],
  ])(
    'never returns %s for one origin to another',
    async (_case, path, headers: Record<string, string | undefined>) => {
      const { Origin = CONSOLE, ...rest } = headers;
      const call = request(api.app).get(path).auth(token, { type: 'bearer' });
      if (!('Origin' in headers)) call.set('Origin', Origin);
      for (const [name, value] of Object.entries(rest)) if (value !== undefined) call.set(name, value);
      expect(list((await call).headers.vary)).toContain('origin');
    },
  );

  it('never returns the response to a preflight to another origin', async () => {
    expect(list((await preflight('/api/v1/sites', 'https://evil.example', 'GET')).headers.vary)).toContain(
      'origin',
    );
  });
});

it('allows no origin if none is configured', async () => {
  const closed = await createTestApi({ beside: api });
  try {
    for (const origin of [CONSOLE, 'http://localhost:4000', 'null', '*']) {
      const answer = await request(closed.app).options('/api/v1/sites').set('Origin', origin);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  } finally {
    await closed.close();
  }
});
