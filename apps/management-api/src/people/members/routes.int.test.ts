import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { Member } from './member.ts';

let api: TestApi;
let org: string;
let count = 0;
let olga: Client;
let adam: Client;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  org = `org_${++count}`;
  await api.database.asOwner(async (owner) => {
    await owner.query('INSERT INTO organizations (id, name) VALUES ($1::text, $1::text)', [org]);
    for (const [user, role, createdAt] of [
      ['olga', 'owner', '2026-01-01T00:00:00Z'],
      ['adam', 'admin', '2026-01-02T00:00:00Z'],
      ['dora', 'developer', '2026-01-03T00:00:00Z'],
    ]) {
      await owner.query(
        `INSERT INTO members (organization_id, user_id, id, role, name, email, created_at)
         VALUES ($1::text, $2::text, 'mem_' || $2 || $1, $3, initcap($2), $2 || '@acme.example', $4)`,
        [org, user, role, createdAt],
      );
    }
  });
  olga = await as('olga');
  adam = await as('adam');
});

// The token contains the role `owner` each time; the role of the membership decides.
const as = (user: string) => clientOf(api, org, { sub: user, roles: ['owner'] });
const path = (user: string) => `/members/mem_${user}${org}`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const roles = async () =>
  Object.fromEntries(
    (await olga('get', '/members')).body.data.map((member: Member) => [member.user_id, member.role]),
  );

describe('the list of members', () => {
  it('shows exactly the documented fields, oldest first', async () => {
    const page = pageOf(Member).parse((await adam('get', '/members')).body);
    expect(page.data.map((member) => member.user_id)).toEqual(['olga', 'adam', 'dora']);
    const one = await adam('get', path('olga'));
    expect([one.headers.etag, Member.parse(one.body)]).toEqual(['"1"', page.data[0]]);
  });

  it.each([
    ['role=admin', ['adam']],
    ['search=DORA', ['dora']],
    ['search=acme.example&role=owner', ['olga']],
    ['search=nobody', []],
    ['sort=created_at', ['olga', 'adam', 'dora']],
    ['sort=-created_at&limit=2', ['dora', 'adam']],
  ])('returns the matching members for %s', async (query, expected) => {
    const { data } = (await adam('get', `/members?${query}`)).body;
    expect(data.map((member: Member) => member.user_id)).toEqual(expected);
  });

  it.each(['role=boss', 'search=', 'search=%00', 'limit=0', 'sort=name'])(
    'is refused for %s',
    async (query) => {
      expect((await adam('get', `/members?${query}`)).status).toBe(400);
    },
  );
});

describe('changing a role', () => {
  it('applies from the next request on, and is recorded in the audit trail', async () => {
    const dora = await as('dora');
    expect((await dora('patch', path('adam'), { role: 'viewer' })).status).toBe(403);
    const answer = await olga('patch', path('dora'), { role: 'admin' }, { 'If-Match': '"1"' });
    expect([answer.status, answer.headers.etag, answer.body.role]).toEqual([200, '"2"', 'admin']);
    expect((await dora('patch', path('adam'), { role: 'viewer' })).status).toBe(200);
    expect(await auditTrailOf(api, `mem_dora${org}`)).toMatchObject([
      {
        action: 'member.updated',
        actor: { id: 'olga' },
        changes: { role: { from: 'developer', to: 'admin' } },
      },
    ]);
  });

  it.each([
    ['makes an owner', 'dora', { role: 'owner' }],
    ['tries to become an owner', 'adam', { role: 'owner' }],
    ['takes the role from an owner', 'olga', { role: 'admin' }],
  ])('is refused to an admin who %s', async (_case, user, body) => {
    const before = await roles();
    expect(code(await adam('patch', path(user), body))).toEqual([403, 'role_escalation']);
    expect(await roles()).toEqual(before);
  });

  it.each([
    [{ role: 'boss' }, '/role', 'invalid_enum'],
    [{ role: null }, '/role', 'invalid_enum'],
    [{ user_id: 'x' }, '/user_id', 'field_read_only'],
  ])('is refused for %j', async (body, pointer, fault) => {
    const answer = await olga('patch', path('dora'), body);
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer, code: fault })],
    ]);
  });
});

describe('the last owner of an organization', () => {
  it('can be neither demoted nor removed, not even by their own request', async () => {
    expect(code(await olga('patch', path('olga'), { role: 'admin' }))).toEqual([409, 'last_owner']);
    expect(code(await olga('post', '/me/leave'))).toEqual([409, 'last_owner']);
    expect((await roles()).olga).toBe('owner');
  });

  it('remains if two leave concurrently, one by demotion', async () => {
    expect((await olga('patch', path('adam'), { role: 'owner' })).status).toBe(200);
    const answers = await Promise.all([
      olga('patch', path('olga'), { role: 'developer' }),
      adam('post', '/me/leave'),
    ]);
    const refused = answers.filter((answer) => answer.status === 409);
    expect(refused.map((answer) => answer.body.code)).toEqual(['last_owner']);
    const { rows } = await api.database.asOwner((owner) =>
      owner.query(
        "SELECT count(*)::int AS owners FROM members WHERE organization_id = $1 AND role = 'owner' AND removed_at IS NULL",
        [org],
      ),
    );
    expect(rows).toEqual([{ owners: 1 }]);
  });
});

describe('removing a member', () => {
  it('refuses a user with a valid token at once', async () => {
    const dora = await as('dora');
    expect((await dora('get', '/sites')).status).toBe(200);
    expect((await adam('delete', path('dora'))).status).toBe(204);
    expect(code(await dora('get', '/sites'))).toEqual([403, 'membership_revoked']);
    expect(code(await dora('get', '/me'))).toEqual([403, 'membership_revoked']);
    expect((await adam('get', path('dora'))).body.status).toBe('removed');
    expect((await adam('get', '/members')).body.data).toHaveLength(2);
    expect((await adam('delete', path('dora'))).status).toBe(204);
    expect(await auditTrailOf(api, `mem_dora${org}`)).toMatchObject([
      { action: 'member.removed', targets: [{ type: 'member', name: 'Dora' }] },
    ]);
  });

  it('is refused to an admin for an owner, to a stale If-Match, and to a developer', async () => {
    expect(code(await adam('delete', path('olga')))).toEqual([403, 'role_escalation']);
    const stale = await olga('delete', path('dora'), undefined, { 'If-Match': '"2"' });
    expect(code(stale)).toEqual([412, 'version_mismatch']);
    const dora = await as('dora');
    expect((await dora('delete', path('adam'))).body.required_scope).toBe('members:write');
  });

  it('refuses a change by a member who was removed after the change was admitted', async () => {
    expect((await adam('get', '/me')).body.role).toBe('admin'); // the role is cached from now on
    await api.database.asOwner((owner) =>
      owner.query("UPDATE members SET removed_at = now() WHERE organization_id = $1 AND user_id = 'adam'", [
        org,
      ]),
    );
    expect(code(await adam('patch', path('dora'), { role: 'viewer' }))).toEqual([403, 'role_escalation']);
  });
});

it('finds no member of another organization', async () => {
  const stranger = await clientOf(api, 'org_stranger', { sub: 'olga', roles: ['owner'] });
  const calls = [
    stranger('get', path('dora')),
    stranger('patch', path('dora'), { role: 'viewer' }),
    stranger('delete', path('dora')),
    stranger('get', '/members/%00'),
  ];
  for (const answer of await Promise.all(calls)) expect(code(answer)).toEqual([404, 'not_found']);
  const { data } = (await stranger('get', '/members')).body;
  expect(data.map((member: Member) => member.role)).toEqual(['owner']); // their own row, made by their first token
});
