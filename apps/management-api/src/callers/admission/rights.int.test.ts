import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

async function call(method: 'get' | 'post', claims: Record<string, unknown>, organization = 'org_acme') {
  const token = await api.token(organization, claims);
  const answer = request(api.app)[method]('/api/v1/sites').auth(token, { type: 'bearer' });
  return method === 'post' ? answer.send({ name: 'Site' }) : answer;
}

async function setMember(userId: string, role: string, removed = false) {
  await api.database.asOwner(async (owner) => {
    await owner.query(
      "INSERT INTO organizations (id, name) VALUES ('org_acme', 'Acme') ON CONFLICT DO NOTHING",
    );
    await owner.query(
      `INSERT INTO members (organization_id, user_id, id, role, removed_at)
       VALUES ('org_acme', $1, 'mem_' || $1, $2, CASE WHEN $3::bool THEN now() END)
       ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role, removed_at = excluded.removed_at`,
      [userId, role, removed],
    );
  });
}

it('gives a token without roles and scope the rights of the default role', async () => {
  expect([(await call('get', {})).status, (await call('post', {})).status]).toEqual([200, 201]);
});

it.each([
  ['viewer', 200, 403],
  ['developer', 200, 201],
  ['admin', 200, 201],
  ['owner', 200, 201],
  ['something-else', 200, 201],
])('gives a token with the role %s the rights of the role', async (role, read, write) => {
  const claims = { sub: `user_by_token_${role}`, roles: [role] };
  expect([(await call('get', claims)).status, (await call('post', claims)).status]).toEqual([read, write]);
});

it('uses the strongest of several roles', async () => {
  expect((await call('post', { sub: 'user_of_two_roles', roles: ['viewer', 'admin'] })).status).toBe(201);
});

describe('a membership', () => {
  it('takes precedence over the roles of the token', async () => {
    await setMember('user_viewer', 'viewer');
    const answer = await call('post', { sub: 'user_viewer', roles: ['owner'] });
    expect([answer.status, answer.body.code, answer.body.required_scope]).toEqual([
      403,
      'insufficient_permission',
      'sites:write',
    ]);
    expect(answer.headers['www-authenticate']).toBeUndefined(); // another token would not help
  });

  it('that was removed overrides a valid token, once the membership is read again', async () => {
    await setMember('user_removed', 'owner');
    expect((await call('get', { sub: 'user_removed' })).status).toBe(200);
    await setMember('user_removed', 'owner', true);
    api.advanceSeconds(31);
    const answer = await call('get', { sub: 'user_removed', roles: ['owner'] });
    expect([answer.status, answer.body.code]).toEqual([403, 'membership_revoked']);
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
  });

  it('of one organization has no effect in another', async () => {
    await setMember('user_elsewhere', 'viewer', true);
    expect((await call('post', { sub: 'user_elsewhere' }, 'org_globex')).status).toBe(201);
  });
});

describe('the scope of a token', () => {
  it.each([
    ['sites:read', 200, 403],
    ['sites:write', 403, 201],
    ['sites:read sites:write', 200, 201],
    ['connectors:read', 403, 403],
    ['sites', 403, 403],
    ['openid profile', 200, 201],
    ['openid sites:read', 200, 403],
    ['', 200, 201],
  ])('%j limits the rights of the role', async (scope, read, write) => {
    expect([(await call('get', { scope })).status, (await call('post', { scope })).status]).toEqual([
      read,
      write,
    ]);
  });

  it('adds no rights to the role', async () => {
    expect((await call('post', { sub: 'u', roles: ['viewer'], scope: 'sites:write' })).status).toBe(403);
  });

  it('is named in the refusal if another token would help', async () => {
    const answer = await call('post', { scope: 'sites:read' });
    expect([answer.body.code, answer.body.required_scope]).toEqual([
      'insufficient_permission',
      'sites:write',
    ]);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="sites:write"');
  });

  it('are checked before the body', async () => {
    const token = await api.token('org_acme', { scope: 'sites:read' });
    const answer = await request(api.app)
      .post('/api/v1/sites')
      .auth(token, { type: 'bearer' })
      .type('json')
      .send('{');
    expect(answer.status).toBe(403);
  });
});
