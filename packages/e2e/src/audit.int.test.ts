import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, type Legs, member, scene, signIn, text } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('time');

/**
 * Tests the records of calls: who did what, as whom, and why a call was denied, from the response to the audit trail.
 */

let stack: StackUnderTest;
let legs: Legs;
let tokens: Record<'alice' | 'bob' | 'carol', string>;
let apiToken: string;

beforeAll(async () => {
  stack = await startStackUnderTest();
  legs = createLegs(stack.urls);
  const issuer = stack.urls['mock-idp'];
  const { alice, bob, carol } = scene.USERS;
  const idTokenOf = async ({ email }: { email: string }) => (await signIn({ issuer, email })).idToken;
  tokens = { alice: await idTokenOf(alice), bob: await idTokenOf(bob), carol: await idTokenOf(carol) };
  const resource = stack.urls['management-api'];
  apiToken = (await signIn({ issuer, email: alice.email, resource })).accessToken;
});
afterAll(() => stack?.stop());

const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const explanationFor = (user: keyof typeof tokens, callId: string) =>
  exchange('GET', `${stack.urls['tool-hub']}/api/v1/calls/${callId}/explanation`, {}, as(tokens[user]));
const listEvents = async (query: string) => {
  const url = `${stack.urls['management-api']}/api/v1/audit-events?${query}`;
  return member((await exchange('GET', url, {}, as(apiToken))).answer, 'data') as { id: string }[];
};
/** Waits until all events have arrived, within the plan's rate limit. */
const eventsOf = (query: string, ids: readonly string[]) =>
  eventually(`the events ${ids.join(', ')}`, () => listEvents(query), {
    pauseMs: 300,
    until: (found) => ids.every((id) => found.some((event) => event.id === id)),
  });
const callAs = async (user: keyof typeof tokens, tool = 'whoami') => {
  const answer = await legs.callThroughHub(tokens[user], tool);
  return { status: answer.status, callId: answer.answerHeaders.get('legate-call-id') ?? '' };
};
/** Denies a user at the identity provider while `work` runs */
async function denying<Result>(user: string, work: () => Promise<Result>): Promise<Result> {
  const policies = `${stack.urls['mock-idp']}/admin/policies`;
  const id = `deny-${user}`;
  const admin = as(scene.IDP_ADMIN_KEY);
  await exchange('POST', policies, { json: { id, effect: 'deny', match: { users: [user] } } }, admin);
  return work().finally(() => exchange('DELETE', `${policies}/${id}`, {}, admin));
}

it('explains a denied call only to its caller and to the administrator', async () => {
  const { callId } = await denying('user_bob', async () => {
    const denied = await callAs('bob');
    expect(denied.status).toBe(403);
    return denied;
  });
  const own = await explanationFor('bob', callId);
  expect(own.status).toBe(200);
  expect(own.answer).toMatchObject({
    user_id: 'user_bob',
    outcome: 'denied',
    leg: 'idp',
    rule: 'policy_denied',
  });
  expect(text(own.answer, 'remedy')).toContain('administrator of the identity provider');
  expect((await explanationFor('alice', callId)).answer).toEqual(own.answer); // owner of org_acme
  expect((await explanationFor('carol', callId)).status).toBe(404); // owner of another organization

  const ofAlice = await callAs('alice');
  expect((await explanationFor('alice', ofAlice.callId)).answer).toMatchObject({ outcome: 'granted' });
  expect((await explanationFor('bob', ofAlice.callId)).status).toBe(404);
});

it("shows calls in the organization's audit trail, filtered by action, user and connector", async () => {
  await legs.signOutOfHub(tokens.alice);
  const { email } = scene.USERS.alice;
  tokens.alice = (await signIn({ issuer: stack.urls['mock-idp'], email })).idToken;
  const calls = [await callAs('alice'), await callAs('alice')];
  const [fresh = '', cached = ''] = calls.map(({ callId }) => callId);
  const found = await eventsOf('action=tool.called&actor_id=user_alice&limit=100', [fresh, cached]);
  expect(found.find(({ id }) => id === fresh)).toMatchObject({
    action: 'tool.called',
    actor: { type: 'user', id: 'user_alice' },
    targets: [
      { type: 'connector', id: scene.CONNECTOR },
      { type: 'tool', id: 'whoami', name: null },
    ],
    details: {
      outcome: 'granted',
      cache: 'miss',
      id_jag_hash: expect.stringMatching(/^[\w-]{43}$/),
      recorded_by: 'tool-hub',
    },
  });
  expect(found.find(({ id }) => id === cached)).toMatchObject({ details: { cache: 'hit', leg: 'cache' } });
  const denied = await denying('user_bob', () => callAs('bob'));
  await eventsOf(`action=tool.denied&target_id=${scene.CONNECTOR}&limit=100`, [denied.callId]);
  expect((await listEvents('action=tool.called&actor_id=user_bob')).map(({ id }) => id)).not.toContain(
    denied.callId,
  );
});

it('loses no event while management-api is down, and delivers each one once afterwards', async () => {
  await callAs('alice'); // so that the hub has cached the connectors
  await stack.kill('management-api');
  const ids: string[] = [];
  for (let i = 0; i < 30; i += 1) {
    const { status, callId } = await callAs('alice');
    expect(status).toBe(200);
    ids.push(callId);
  }
  await stack.restart('management-api');
  const found = await eventsOf('action=tool.called&actor_id=user_alice&limit=100', ids);
  const times = (id: string) => found.filter((event) => event.id === id).length;
  expect([new Set(ids).size, new Set(ids.map(times))]).toEqual([30, new Set([1])]);
});

it('delivers waiting events when the hub is stopped', async () => {
  const { callId } = await callAs('alice');
  stack.signal('tool-hub', 'SIGTERM');
  await eventsOf('action=tool.called&actor_id=user_alice&limit=100', [callId]);
});
