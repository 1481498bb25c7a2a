import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, clientOf } from '../../testing/client.ts';
import { createTestApi, ISSUER, NOW, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let beside: TestApi;
let org: string;
beforeAll(async () => {
  api = await createTestApi({ memberRules: { defaultRole: 'viewer', maxMembers: 3 } });
  beside = await createTestApi({ beside: api, memberRules: { defaultRole: 'viewer' } });
});
afterAll(() => api.close());
beforeEach(() => {
  org = `org_${randomUUID()}`;
});

const sql = (text: string, values: unknown[] = []) =>
  api.database.asOwner(async (owner) => (await owner.query(text, values)).rows);
const members = () =>
  sql(
    `SELECT user_id, id, role, source, issuer, email, name, email_verified, role_claimed_at, last_seen_at
     FROM members WHERE organization_id = $1 ORDER BY user_id`,
    [org],
  );
const rolesOf = async () => Object.fromEntries((await members()).map(({ user_id, role }) => [user_id, role]));
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const me = async (claims: Record<string, unknown>, at = api) =>
  (await (await clientOf(at, org, claims))('get', '/me')).body;

describe('the first token of a user', () => {
  it('creates one member and one event, even if several processes receive it at the same time', async () => {
    const processes = await Promise.all(Array.from({ length: 20 }, () => createTestApi({ beside: api })));
    const claims = {
      sub: 'bob',
      roles: ['admin'],
      email: 'bob@acme.example',
      email_verified: true,
      name: 'Bob',
    };
    const answers = await Promise.all(
      processes.map(async (one) => {
        const bob = await clientOf(one, org, claims);
        // The embedded database has a single connection, so some requests wait too long and are retried, as clients do.
        let answer = await bob('get', '/me');
        for (let tries = 0; answer.status === 503 && tries < 5; tries++) answer = await bob('get', '/me');
        return answer;
      }),
    );
    expect(answers.map(({ status, body }) => [status, body.role])).toEqual(Array(20).fill([200, 'admin']));
    const [bob, ...others] = await members();
    expect([others, bob]).toEqual([
      [],
      {
        user_id: 'bob',
        id: expect.stringMatching(/^mem_/),
        role: 'admin',
        source: 'identity_provider',
        issuer: ISSUER,
        email: 'bob@acme.example',
        name: 'Bob',
        email_verified: true,
        role_claimed_at: new Date(NOW * 1000),
        last_seen_at: new Date(NOW * 1000),
      },
    ]);
    expect(await auditTrailOf(api, bob?.id)).toMatchObject([
      {
        action: 'member.joined',
        actor: { type: 'user', id: 'bob' },
        changes: { role: { from: null, to: 'admin' } },
        details: { source: 'identity_provider' },
      },
    ]);
  });

  it('sets the role once: later requests use the stored role', async () => {
    expect((await me({ sub: 'bob', roles: ['viewer'] })).role).toBe('viewer');
    expect((await me({ sub: 'bob', roles: ['owner'] })).role).toBe('viewer');
    await sql("UPDATE members SET role = 'admin' WHERE organization_id = $1", [org]);
    expect((await me({ sub: 'bob' }, beside)).role).toBe('admin');
  });

  it("gives the organization's default role, or that of the deployment if the organization has none", async () => {
    expect((await me({ sub: 'new' })).role).toBe('viewer');
    await sql("UPDATE organizations SET default_role = 'developer' WHERE id = $1", [org]);
    expect((await me({ sub: 'other' })).role).toBe('developer');
    await sql("UPDATE organizations SET default_role = 'none' WHERE id = $1", [org]);
    const stranger = await clientOf(api, org, { sub: 'stranger', roles: ['unknown'] });
    expect(code(await stranger('get', '/me'))).toEqual([403, 'membership_required']);
    expect(await rolesOf()).toEqual({ new: 'viewer', other: 'developer' });
  });

  it('is refused at the maximum number of members, including those without access', async () => {
    for (const sub of ['a', 'b', 'c']) await me({ sub });
    await sql("UPDATE members SET removed_at = now() WHERE organization_id = $1 AND user_id = 'a'", [org]);
    const fourth = await clientOf(api, org, { sub: 'd' });
    expect(code(await fourth('get', '/sites'))).toEqual([403, 'member_limit_reached']);
    expect((await me({ sub: 'b' })).role).toBe('viewer');
    expect(Object.keys(await rolesOf())).toEqual(['a', 'b', 'c']);
  });

  it('does not make a user who only reads the rate limit a member', async () => {
    const client = await clientOf(api, org, { sub: 'bob' });
    expect((await client('get', '/rate-limit')).status).toBe(200);
    expect(await members()).toEqual([]);
  });
});

describe('an organization whose identity provider manages roles', () => {
  const manage = async (role_source: string) => {
    const owner = await clientOf(api, org, { sub: 'olga', roles: ['owner'] });
    const answer = await owner('patch', '/organization', { role_source });
    expect([answer.status, answer.body.role_source]).toEqual([200, role_source]);
  };
  const roleAt = async (iat: number, role: string) =>
    (await me({ sub: 'bob', roles: [role], iat: NOW + iat })).role;

  it('applies the role of the newest token, with an event for each change', async () => {
    expect(await roleAt(-50, 'admin')).toBe('admin');
    await manage('identity_provider');
    expect(await roleAt(-60, 'viewer')).toBe('admin');
    expect(await roleAt(-40, 'viewer')).toBe('viewer');
    expect(await roleAt(-20, 'viewer')).toBe('viewer');
    expect(await roleAt(-30, 'owner')).toBe('viewer'); // older than a token that was applied
    expect((await me({ sub: 'bob', roles: ['unknown'] })).role).toBe('viewer');
    const [bob] = await members();
    const synced = (await auditTrailOf(api, bob?.id)).filter(({ action }) => action === 'member.role_synced');
    expect(synced.map(({ changes }) => changes)).toEqual([{ role: { from: 'admin', to: 'viewer' } }]);

    await manage('local');
    expect(await roleAt(-10, 'admin')).toBe('viewer');
  });

  it('refuses changes of a role through the API', async () => {
    await me({ sub: 'bob' });
    await manage('identity_provider');
    const owner = await clientOf(api, org, { sub: 'olga', roles: ['owner'] });
    const [bob] = await members();
    expect(code(await owner('patch', `/members/${bob?.id}`, { role: 'admin' }))).toEqual([
      409,
      'role_managed',
    ]);
  });
});
