import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { organizationSettings } from '@legate/identity-providers';
import request from 'supertest';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

const RULE = (rule: object) => organizationSettings.ORGANIZATION_RULE.parse(JSON.stringify(rule));
const USER = { organization_id: undefined, scope: 'openid', email: 'alice@acme.example', roles: ['viewer'] };

let first: TestApi;
beforeAll(async () => {
  first = await createTestApi();
});
afterAll(() => first.close());

const get = async (
  api: TestApi,
  path: string,
  claims: Record<string, unknown>,
  header: { typ: string | undefined } = { typ: 'at+jwt' },
) => {
  const token = await api.token(undefined, { ...USER, ...claims }, header);
  return request(api.app).get(`/api/v1${path}`).auth(token, { type: 'bearer' });
};
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('the tenants of a map', () => {
  let api: TestApi;
  beforeAll(async () => {
    const rule = { claim: 'tid', map: { 'tenant-a': 'org_map_a', 'tenant-b': 'org_map_b' } };
    api = await createTestApi({ beside: first, identityProvider: { ORGANIZATION_RULE: RULE(rule) } });
  });
  afterAll(() => api.close());

  it('are separate organizations', async () => {
    for (const [tid, organization] of [
      ['tenant-a', 'org_map_a'],
      ['tenant-b', 'org_map_b'],
    ]) {
      const answer = await get(api, '/me', { tid, organization_id: 'org_map_a', sub: `user_of_${tid}` });
      expect([answer.status, answer.body.organization?.id]).toEqual([200, organization]);
    }
  });

  it.each([
    ['another tenant', { tid: 'tenant-c' }],
    ['the organization in the place of the tenant', { tid: 'org_map_a' }],
    ['no tenant, but an organization_id', { organization_id: 'org_map_a' }],
    ['a name that every object has', { tid: ['constructor', '__proto__'] }],
  ])('do not admit a token with %s', async (_case, claims) => {
    expect(outcome(await get(api, '/sites', claims))).toEqual([403, 'organization_id_required']);
  });

  it('say that the map lacks the tenant of a token, without repeating it', async () => {
    const unmapped = await get(api, '/sites', { tid: 'tenant-c' });
    expect(unmapped.body.detail).toMatch(/^The claim tid of the token is there, .* map of ORGANIZATION_RULE/);
    expect(unmapped.text).not.toContain('tenant-c');
    expect((await get(api, '/sites', {})).body.detail).toContain('has no claim tid, or an empty one');
  });

  it('refuse a token with two of them, and the same one with one of them', async () => {
    const both = await get(api, '/sites', { tid: ['tenant-a', 'tenant-b'] });
    expect(outcome(both)).toEqual([403, 'organization_ambiguous']);
    expect(both.text).not.toMatch(/tenant-|org_map/);
    expect(outcome(await get(api, '/me', { tid: ['tenant-a', 'tenant-b'] }))).toEqual([
      403,
      'organization_ambiguous',
    ]);
    expect((await get(api, '/sites', { tid: ['tenant-a', 'elsewhere'] })).status).toBe(200);
  });
});

it('gives everybody the fixed organization', async () => {
  const identityProvider = { ORGANIZATION_RULE: RULE({ fixed: 'org_fixed' }) };
  const api = await createTestApi({ beside: first, identityProvider });
  try {
    const answer = await get(api, '/me', { organization_id: 'org_map_a', sub: 'user_fixed' });
    expect([answer.status, answer.body.organization?.id]).toEqual([200, 'org_fixed']);
  } finally {
    await api.close();
  }
});

describe('with Okta, whose access tokens have the login as their sub', () => {
  let api: TestApi;
  beforeAll(async () => {
    const ORGANIZATION_RULE = RULE({ fixed: 'org_okta' });
    api = await createTestApi({ beside: first, identityProvider: { IDP_KIND: 'okta', ORGANIZATION_RULE } });
  });
  afterAll(() => api.close());
  const token = (claims: Record<string, unknown>) =>
    get(api, '/me', { sub: 'alice@acme.example', cid: 'frontend-app', ...claims }, { typ: undefined });

  it('takes the user from uid, and the types of access tokens from the kind', async () => {
    const answer = await token({ uid: '00u1' });
    expect([answer.status, answer.body.user?.id]).toEqual([200, '00u1']);
  });

  it('keeps a user whose login changes, and is not misled by the login of another one', async () => {
    const answer = await token({ uid: '00u1', sub: '00u2' });
    expect([answer.status, answer.body.user?.id]).toEqual([200, '00u1']);
  });

  it.each([undefined, null, '', 7])('refuses a token with %j as uid, and names the claim', async (uid) => {
    const { status, body } = await token({ uid });
    expect([status, body.code]).toEqual([401, 'token_invalid']);
    expect(body.detail).toContain('uid');
  });

  it('recognizes a machine by its sub', async () => {
    const machine = { sub: 'client_1', cid: 'client_1', email: undefined, roles: undefined };
    const { status, body } = await token(machine);
    expect([status, body.code, body.subject]).toEqual([403, 'service_account_unknown', 'client_1']);
  });

  it('does not take a user whose login is the id of a client for that client', async () => {
    const user = { sub: 'client_1', cid: 'client_1', uid: '00u9', email: undefined, roles: undefined };
    expect((await token(user)).body.subject).not.toBe('client_1');
  });
});
