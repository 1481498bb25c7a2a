import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import request from 'supertest';
import { createTestApi, ISSUER, NOW, RESOURCE, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const list = (authorization?: string) => {
  const call = request(api.app).get('/api/v1/sites');
  return authorization === undefined ? call : call.set('Authorization', authorization);
};

it('accepts an access token of the identity provider', async () => {
  const answer = await list(`Bearer ${await api.token('org_acme')}`);
  expect([answer.status, answer.headers['api-version']]).toEqual([200, 'v1']);
});

it.each([
  ['no credentials', undefined],
  ['another scheme', 'Basic YTpi'],
])('requires a token for %s, without an error code', async (_case, authorization) => {
  const answer = await list(authorization);
  expect([answer.status, answer.body.code]).toEqual([401, 'token_missing']);
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  expect(answer.type).toBe('application/problem+json');
});

it.each([
  ['for another audience', { aud: 'https://other.example' }, 'at+jwt', 'token_invalid'],
  ['of another issuer', { iss: 'https://evil.example' }, 'at+jwt', 'token_invalid'],
  ['expired', { iat: NOW - 3600, exp: NOW - 61 }, 'at+jwt', 'token_expired'],
  ['not valid yet', { nbf: NOW + 3600 }, 'at+jwt', 'token_invalid'],
  ['without a subject', { sub: undefined }, 'at+jwt', 'token_invalid'],
  ['with a subject that cannot be stored', { sub: 'user\u0000' }, 'at+jwt', 'token_invalid'],
  ['with an organization_id that cannot be one', { organization_id: 'a:b' }, 'at+jwt', 'token_invalid'],
  ['that is an ID token', {}, 'JWT', 'token_invalid'],
  [
    'that is an ID-JAG',
    { client_id: 'hub', jti: 'j', resource: RESOURCE },
    'oauth-id-jag+jwt',
    'token_invalid',
  ],
])('refuses a token %s', async (_case, claims, typ, code) => {
  const answer = await list(`Bearer ${await api.token('org_acme', claims, { typ })}`);
  expect([answer.status, answer.body.code]).toEqual([401, code]);
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/);
});

it('refuses a token with a foreign signature, and a string that is not a token', async () => {
  const stranger = await createSigningKeys({ alg: 'RS256', clock: () => new Date(NOW * 1000) });
  const claims = { iss: ISSUER, sub: 'user_alice', aud: RESOURCE, iat: NOW, exp: NOW + 60 };
  for (const token of [await stranger.sign(claims, { typ: 'at+jwt' }), 'nonsense', 'a.b.c', 'a b']) {
    const answer = await list(`Bearer ${token}`);
    expect([answer.status, answer.body.code]).toEqual([401, 'token_invalid']);
    expect(JSON.stringify(answer.body)).not.toContain(token);
  }
});

it('distinguishes ID tokens from access tokens with the same type, and accepts only the latter', async () => {
  const other = await createTestApi({ beside: api, accessTokenTypes: ['at+jwt', 'JWT'] });
  try {
    const get = async (claims: Record<string, unknown>) =>
      request(other.app)
        .get('/api/v1/sites')
        .auth(await other.token('org_acme', claims, { typ: 'JWT' }), { type: 'bearer' });
    expect((await get({ azp: 'frontend-app', scope: 'sites:read' })).status).toBe(200);
    for (const idToken of [{ aud: 'frontend-app', nonce: 'n' }, { nonce: 'n', scope: 'openid' }, {}]) {
      const answer = await get(idToken);
      expect([answer.status, answer.body.code]).toEqual([401, 'token_invalid']);
    }
  } finally {
    await other.close();
  }
});

it('limits a token by its scopes, whatever format the provider uses', async () => {
  for (const claims of [{ scope: 'sites:read' }, { scp: 'sites:read' }, { scp: ['sites:read', 'openid'] }]) {
    const token = await api.token('org_acme', claims);
    const create = request(api.app).post('/api/v1/sites').auth(token, { type: 'bearer' }).send({ name: 'A' });
    expect((await list(`Bearer ${token}`)).status).toBe(200);
    expect((await create).body.code).toBe('insufficient_permission');
  }
});

it('requires a token that names an organization', async () => {
  const answer = await list(`Bearer ${await api.token(undefined)}`);
  expect([answer.status, answer.body.code]).toEqual([403, 'organization_id_required']);
  expect(answer.headers['x-ratelimit-limit']).toBe('60');
});

it('verifies tokens with cached keys while the identity provider is down, and returns 503 without keys', async () => {
  const other = await createTestApi({ beside: api });
  try {
    other.setIdpDown(true);
    const get = async () =>
      request(other.app)
        .get('/api/v1/sites')
        .set('Authorization', `Bearer ${await other.token('org_acme')}`);
    const unknown = await get();
    expect([unknown.status, unknown.body.code]).toEqual([503, 'idp_unavailable']);
    expect(unknown.headers['retry-after']).toBe('5');
    expect(unknown.headers['www-authenticate']).toBeUndefined();
    other.setIdpDown(false);
    other.advanceSeconds(10);
    expect((await get()).status).toBe(200);
    other.setIdpDown(true);
    other.advanceSeconds(3000);
    expect((await get()).status).toBe(200);
  } finally {
    await other.close();
  }
});
