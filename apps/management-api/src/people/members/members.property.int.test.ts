import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let processes: readonly [TestApi, TestApi];
beforeAll(async () => {
  const api = await createTestApi();
  processes = [api, await createTestApi({ beside: api })];
});
afterAll(() => processes[0].close());

const USERS = ['olga', 'adam', 'dora', 'vera'] as const;
type User = (typeof USERS)[number];
const ROLES = ['owner', 'admin', 'developer', 'viewer'] as const;
type Role = (typeof ROLES)[number];

const user = fc.constantFrom(...USERS);
const role = fc.constantFrom(...ROLES);
/** Actions of users and tokens, in any order */
const step = fc.record({
  what: fc.constantFrom('call', 'patch', 'deactivate', 'deny', 'remove', 'reinstate', 'leave'),
  actor: user,
  claim: role,
  target: user,
  role,
  process: fc.constantFrom(0, 1),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Row {
  readonly id: string;
  readonly role: Role;
  readonly active: boolean;
}
const readRows = async (org: string): Promise<ReadonlyMap<string, Row>> => {
  const { rows } = await processes[0].database.asOwner((owner) =>
    owner.query(
      'SELECT user_id, id, role, removed_at IS NULL AS active FROM members WHERE organization_id = $1',
      [org],
    ),
  );
  return new Map(rows.map(({ user_id, ...row }) => [user_id, row as Row]));
};

function send(client: Client, { what, target, role: wanted }: Step, id: string) {
  switch (what) {
    case 'call':
      return client('get', '/me');
    case 'leave':
      return client('post', '/me/leave');
    case 'deny':
      return client('post', '/members/deny', { user_id: target });
    case 'patch':
      return client('patch', `/members/${id}`, { role: wanted });
    case 'remove':
      return client('delete', `/members/${id}`);
    case 'reinstate':
      return client('post', `/members/${id}/reinstate`, { role: wanted });
    default:
      return client('post', `/members/${id}/deactivate`);
  }
}

it('never admits users without a row or kept-out users, invents no role, and keeps the last owner', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const org = `org_${randomUUID()}`;
      const founder = await clientOf(processes[0], org, { sub: 'olga', roles: ['owner'] });
      expect((await founder('get', '/me')).body.role).toBe('owner');
      for (const one of steps) {
        for (const each of processes) each.advanceSeconds(2);
        const before = await readRows(org);
        const api = processes[one.process];
        const client = await clientOf(api, org, { sub: one.actor, roles: [one.claim] });
        const { status } = await send(client, one, before.get(one.target)?.id ?? 'mem_unknown');
        const after = await readRows(org);

        const was = before.get(one.actor);
        expect(status).toBeLessThan(500);
        if (was?.active === false) expect(status).toBe(403);
        else expect(after.has(one.actor)).toBe(true); // every admitted user has a row

        expect([...after.values()].some((row) => row.active && row.role === 'owner')).toBe(true);
        for (const [name, row] of after) expectGiven(name as User, row, before.get(name), one, was);
      }
    }),
    runs(20),
  );
});

/** Checks that a role came from the first token, or from a person who may grant it. */
function expectGiven(name: User, now: Row, before: Row | undefined, one: Step, actor: Row | undefined) {
  if (!before) {
    const isOwn = name === one.actor;
    expect([name, now.role]).toEqual([name, isOwn ? one.claim : 'viewer']);
    return;
  }
  if (now.role === before.role && now.active === before.active) return;
  const acting = actor?.role ?? one.claim;
  if (one.what === 'leave') return expect(name).toBe(one.actor);
  expect(['owner', 'admin']).toContain(acting);
  if (before.role === 'owner' || now.role === 'owner') expect(acting).toBe('owner');
}
