import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let beside: TestApi;
let org: string;
beforeAll(async () => {
  api = await createTestApi();
  beside = await createTestApi({ beside: api });
});
afterAll(() => api.close());

const ROLES = ['owner', 'admin', 'developer', 'viewer'] as const;
type User = (typeof ROLES)[number] | 'other';
const clients = new Map<User, Client>();
beforeEach(async () => {
  org = `org_${randomUUID()}`;
  for (const role of ROLES) clients.set(role, await as(role, role));
  clients.set('other', await as('other', 'owner'));
});

/** Makes the user a member with this role */
async function as(sub: string, role: string): Promise<Client> {
  const client = await clientOf(api, org, { sub, roles: [role], name: sub, email: `${sub}@acme.example` });
  expect((await client('get', '/me')).body.role).toBe(role);
  return client;
}
const by = (user: User): Client => clients.get(user) as Client;
const sql = (text: string, values: unknown[] = []) =>
  api.database.asOwner(async (owner) => (await owner.query(text, values)).rows);
async function idOf(userId: string): Promise<string> {
  const [row] = await sql('SELECT id FROM members WHERE organization_id = $1 AND user_id = $2', [
    org,
    userId,
  ]);
  return row?.id;
}
const statusOf = async (userId: string) => {
  const { body } = await by('owner')('get', `/members/${await idOf(userId)}`);
  return body.status;
};
const code = ({ status, body }: Response) => [status, body.code];
const deactivate = async (actor: User, user: string) =>
  by(actor)('post', `/members/${await idOf(user)}/deactivate`, { reason: 'Laptop stolen' });
const reinstate = async (actor: User, user: string, role?: string) =>
  by(actor)('post', `/members/${await idOf(user)}/reinstate`, role === undefined ? undefined : { role });
const remove = async (actor: User, user: string) => by(actor)('delete', `/members/${await idOf(user)}`);
const deny = (actor: User, user: string) => by(actor)('post', '/members/deny', { user_id: user });

describe('a member who is kept out', () => {
  it.each([
    ['deactivated', deactivate, 200, 'membership_deactivated', { reason: 'Laptop stolen' }],
    ['denied', deny, 200, 'membership_revoked', null],
    ['removed', remove, 204, 'membership_revoked', null],
  ] as const)(
    'as %s is refused at once, shown with that status, and in the trail',
    async (status, end, answer, refusal, details) => {
      const viewer = by('viewer');
      expect((await end('admin', 'viewer')).status).toBe(answer);
      expect(code(await viewer('get', '/me'))).toEqual([403, refusal]);
      expect(code(await viewer('get', '/sites'))).toEqual([403, refusal]);
      expect(await statusOf('viewer')).toBe(status);
      const listed = (await by('admin')('get', `/members?status=${status}`)).body.data;
      expect(listed.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['viewer']);
      expect((await end('admin', 'viewer')).status).toBe(answer); // may be repeated
      const trail = (await auditTrailOf(api, await idOf('viewer'))).slice(1);
      expect(trail).toMatchObject([
        {
          action: `member.${status}`,
          actor: { id: 'admin' },
          changes: { status: { from: 'active', to: status } },
        },
      ]);
      expect(trail[0]?.details).toEqual(details);
    },
  );

  it('is refused by other processes within a second', async () => {
    const elsewhere = await clientOf(beside, org, { sub: 'viewer' });
    expect((await elsewhere('get', '/me')).status).toBe(200);
    await deactivate('admin', 'viewer');
    beside.advanceSeconds(2);
    expect(code(await elsewhere('get', '/me'))).toEqual([403, 'membership_deactivated']);
  });

  it.each([deactivate, deny, remove])(
    'is let in again with their old role, or a new one: %#',
    async (end) => {
      await end('admin', 'developer');
      const again = await reinstate('admin', 'developer');
      expect([again.status, again.body]).toMatchObject([200, { status: 'active', role: 'developer' }]);
      expect((await by('developer')('get', '/me')).body.role).toBe('developer');
      await end('admin', 'developer');
      expect((await reinstate('admin', 'developer', 'viewer')).body.role).toBe('viewer');
      expect((await by('developer')('get', '/me')).body.role).toBe('viewer');
    },
  );

  it('has a time of removal, however they were kept out', async () => {
    await Promise.all([deactivate('owner', 'viewer'), deny('owner', 'developer'), remove('owner', 'admin')]);
    const rows = await sql('SELECT user_id FROM members WHERE organization_id = $1 AND removed_at IS NULL', [
      org,
    ]);
    expect(rows.map(({ user_id }) => user_id).sort()).toEqual(['other', 'owner']);
  });
});

describe('denying a user who was never a member', () => {
  it('keeps them out until they are reinstated, despite a valid token', async () => {
    const denied = await deny('admin', 'idp:stranger');
    expect([denied.status, denied.body]).toMatchObject([
      201,
      { status: 'denied', source: 'denial', email: null },
    ]);
    expect((await deny('admin', 'idp:stranger')).status).toBe(200);
    const stranger = await clientOf(api, org, { sub: 'idp:stranger', roles: ['owner'] });
    expect(code(await stranger('get', '/me'))).toEqual([403, 'membership_revoked']);
    expect((await reinstate('admin', 'idp:stranger')).status).toBe(200);
    expect((await stranger('get', '/me')).body.role).toBe('viewer');
  });
});

/** The roles that may act on a member, in an organization with two owners */
describe.each([
  ['deactivate', deactivate],
  ['remove', remove],
  ['deny', deny],
] as const)('the right to %s', (_name, end) => {
  const allowed: Readonly<Record<(typeof ROLES)[number], readonly User[]>> = {
    owner: ['other', 'admin', 'developer', 'viewer'],
    admin: ['developer', 'viewer'],
    developer: [],
    viewer: [],
  };
  it.each(ROLES)('of the role %s', async (actor) => {
    const could: User[] = [];
    for (const target of ['other', 'admin', 'developer', 'viewer'] as const) {
      if (target === actor) continue;
      const answer = await end(actor, target);
      if (answer.status < 300) could.push(target);
      else
        expect([403, answer.body.code]).toEqual([
          answer.status,
          expect.stringMatching(/^(role_escalation|insufficient_permission)$/),
        ]);
    }
    expect(could).toEqual(allowed[actor]);
  });
});

describe('the right to reinstate', () => {
  it('lets only owners reinstate owners, and never grants more than the caller has', async () => {
    await deactivate('owner', 'other');
    await deactivate('owner', 'viewer');
    expect(code(await reinstate('admin', 'other'))).toEqual([403, 'role_escalation']);
    expect(code(await reinstate('admin', 'viewer', 'owner'))).toEqual([403, 'role_escalation']);
    expect(code(await reinstate('developer', 'viewer'))).toEqual([403, 'insufficient_permission']);
    expect((await reinstate('owner', 'other')).body).toMatchObject({ status: 'active', role: 'owner' });
  });
});

describe('leaving an organization', () => {
  it("ends the caller's own membership, which the operations of administrators refuse to end", async () => {
    for (const end of [deactivate, remove, deny]) {
      expect(code(await end('admin', 'admin'))).toEqual([409, 'own_membership']);
    }
    expect((await by('viewer')('post', '/me/leave')).status).toBe(204);
    expect(code(await by('viewer')('get', '/me'))).toEqual([403, 'membership_revoked']);
    expect(await statusOf('viewer')).toBe('removed');
    expect((await auditTrailOf(api, await idOf('viewer'))).slice(1)).toMatchObject([
      { action: 'member.left', actor: { id: 'viewer' } },
    ]);
  });

  it('is refused to a token that is limited to reading, and to the last owner', async () => {
    const reader = await clientOf(api, org, { sub: 'viewer', scope: 'members:read' });
    expect(code(await reader('post', '/me/leave'))).toEqual([403, 'insufficient_permission']);
    expect((await by('other')('post', '/me/leave')).status).toBe(204);
    const last = await by('owner')('post', '/me/leave');
    expect([...code(last), last.body.active_members]).toEqual([409, 'last_owner', 4]);
  });

  it('keeps one of two owners who leave at the same time', async () => {
    const answers = await Promise.all([by('owner')('post', '/me/leave'), by('other')('post', '/me/leave')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const owners = await sql(
      "SELECT 1 FROM members WHERE organization_id = $1 AND role = 'owner' AND removed_at IS NULL",
      [org],
    );
    expect(owners).toHaveLength(1);
  });
});

describe('personal fields', () => {
  const emails = async (user: User, query = '') =>
    (await by(user)('get', `/members${query}`)).body.data.map(({ email }: { email: string | null }) => email);

  it('are shown to owners and admins for everyone, and to others only for themselves', async () => {
    expect(await emails('admin')).not.toContain(null);
    for (const user of ['developer', 'viewer'] as const) {
      const list = await by(user)('get', '/members?status=any');
      expect(list.text.match(/[a-z]+@acme\.example/g)).toEqual([`${user}@acme.example`]);
      const one = await by(user)('get', `/members/${await idOf('owner')}`);
      expect(one.body).toMatchObject({
        name: 'owner',
        email: null,
        email_verified: null,
        last_seen_at: null,
      });
      expect(list.headers['cache-control']).toBe('private, no-store');
    }
  });

  it('are revealed neither by search nor by sorting', async () => {
    expect(await emails('admin', '?search=admin@acme')).toEqual(['admin@acme.example']);
    expect(await emails('viewer', '?search=admin@acme')).toEqual([]);
    expect((await by('admin')('get', '/members?sort=-last_seen_at')).status).toBe(200);
    const refused = await by('viewer')('get', '/members?sort=-last_seen_at');
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'not_permitted']);
  });

  it('are listed by source and status', async () => {
    await deny('admin', 'stranger');
    expect(await emails('admin', '?source=denial&status=any')).toEqual([null]);
    expect(await emails('admin', '?source=identity_provider')).toHaveLength(5);
    expect(await emails('admin', '?status=deactivated')).toEqual([]);
  });
});
