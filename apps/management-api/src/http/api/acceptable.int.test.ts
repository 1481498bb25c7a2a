import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { readOperations } from '../../testing/api-document.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import { createOnboardingScene } from '../../testing/onboarding-scene.ts';
import type { TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let acme: Client;
beforeAll(async () => {
  ({ api } = await createOnboardingScene());
  acme = await clientOf(api, 'org_acme', { roles: ['owner'] });
});
afterAll(() => api.close());

const NOT_ACCEPTABLE = [406, 'not_acceptable', 'application/problem+json'];

describe('the Accept header', () => {
  it.each([
    '*/*',
    'application/*',
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8";q=0.5',
    'application/problem+json',
    'application/problem+json; charset=utf-8',
    'text/html, application/xhtml+xml, */*;q=0.1',
    'application/xml, application/json;q=0.001',
    'application/json;q=0, application/problem+json',
    '',
    `text/html${','.repeat(1000)}`, // longer than the API reads
  ])('is satisfied by JSON: %j', async (accept) => {
    const answer = await acme('get', '/sites', undefined, { Accept: accept });
    expect([answer.status, answer.type]).toEqual([200, 'application/json']);
  });

  it('may be missing', async () => {
    const call = request(api.app)
      .get('/api/v1/me')
      .auth(await api.token('org_acme'), { type: 'bearer' });
    expect((await call.unset('Accept')).status).toBe(200);
  });

  it.each([
    'text/html',
    'application/xml',
    'text/*, image/png;q=0.5',
    'application/json;q=0',
    'application/json;q=0.0, text/html',
    '*/*;q=0',
    'application/json;q=0, application/problem+json;q=0, */*',
    'application/vnd.legate+json',
    'json',
  ])('refuses a client that accepts only %j, with a problem nevertheless', async (accept) => {
    const answer = await acme('get', '/sites', undefined, { Accept: accept });
    expect([answer.status, answer.body.code, answer.type]).toEqual(NOT_ACCEPTABLE);
    expect(answer.body.detail).toContain('application/json');
  });
});

it('changes nothing if the client would not accept the response', async () => {
  const create = () =>
    acme('post', '/sites', { name: 'Unwanted' }, { Accept: 'text/html', 'Idempotency-Key': 'k' });
  expect((await create()).status).toBe(406);
  expect((await acme('get', '/sites')).body.pagination.total).toBe(0);
  const again = await acme('post', '/sites', { name: 'Unwanted' }, { 'Idempotency-Key': 'k' });
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
});

it('checks the Accept header only of operations that need a token, with and without a version', async () => {
  const operations = await readOperations(api);
  const token = await api.token('org_acme', { roles: ['owner'] });
  const refused = new Map<boolean, string[]>([
    [true, []],
    [false, []],
  ]);
  for (const { name, method, path } of operations) {
    const url = path.replace(/\{\w+\}/g, randomUUID());
    for (const base of ['/api/v1', '/api']) {
      const call = request(api.inner)[method](`${base}${url}`).auth(token, { type: 'bearer' });
      const answer = await call.set('Accept', 'image/png');
      refused.get(answer.status === 406)?.push(name);
    }
  }
  expect(refused.get(false)?.sort()).toEqual(
    ['beginSignIn', 'completeSignIn', 'getOpenApiDocument', 'getReference'].flatMap((name) => [name, name]),
  );
  expect(refused.get(true)?.length).toBeGreaterThan(50);
});

it('checks the Accept header after 401 and 403, and never instead of 404 or 405', async () => {
  const accept = { Accept: 'text/html' };
  const nobody = await request(api.app).get('/api/v1/sites').set(accept);
  expect([nobody.status, nobody.type]).toEqual([401, 'application/problem+json']);
  const viewer = await clientOf(api, 'org_acme', { sub: 'user_viewer', roles: ['viewer'] });
  expect((await viewer('post', '/sites', { name: 'A' }, accept)).status).toBe(403);
  expect((await acme('get', '/nothing', undefined, accept)).status).toBe(404);
  expect((await acme('delete', '/sites', undefined, accept)).status).toBe(405);
});

it('ignores the Accept header on pages, health checks and other paths', async () => {
  for (const [path, accept] of [
    ['/onboarding', 'image/png'],
    ['/api/v1/docs', 'application/json'],
    ['/api/v1/openapi.json', 'text/yaml'],
    ['/healthz', 'text/html'],
    ['/readyz', 'text/html'],
  ] as const) {
    expect([path, (await request(api.app).get(path).set('Accept', accept)).status]).toEqual([path, 200]);
  }
});
