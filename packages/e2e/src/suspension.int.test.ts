import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, type Legs, member, scene, signIn } from '@legate/dev';
import { needs } from '@legate/testing';
import { soon } from './soon.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('time');

/**
 * Tests that the hub applies revocations and suspensions of the management API, for one user and for the whole
 * organization.
 */

let stack: StackUnderTest;
let legs: Legs;
beforeAll(async () => {
  stack = await startStackUnderTest();
  legs = createLegs(stack.urls);
});
afterAll(() => stack?.stop());

const tokensOf = (user: keyof typeof scene.USERS) => {
  const { email } = scene.USERS[user];
  return signIn({ issuer: stack.urls['mock-idp'], email, resource: stack.urls['management-api'] });
};
const ask = (accessToken: string, method: string, path: string, json?: object) =>
  exchange(method, `${stack.urls['management-api']}/api/v1${path}`, json ? { json } : {}, {
    Authorization: `Bearer ${accessToken}`,
  });
const outcome = ({ status, answer }: Awaited<ReturnType<typeof exchange>>) => [
  status,
  status < 400 ? undefined : member(answer, 'code'),
];

it('of revoked access: the hub refuses earlier ID tokens, and accepts those of a later sign-in', async () => {
  const [alice, bob] = [await tokensOf('alice'), await tokensOf('bob')];
  const call = async (user: { idToken: string }) =>
    outcome(await legs.callThroughHub(user.idToken, 'whoami'));
  for (const user of [alice, bob]) expect(await call(user)).toEqual([200, undefined]);

  const body = { user_id: scene.USERS.bob.id, reason: 'laptop stolen' };
  const revoked = await ask(alice.accessToken, 'POST', '/revocations', body);
  expect([revoked.status, member(revoked.answer, 'status')]).toEqual([200, 'delivered']);
  expect(await call(bob)).toEqual([401, 'signed_out']);
  expect(await call(alice)).toEqual([200, undefined]);
  // A token issued in the same second counts as earlier.
  await soon([200, undefined], async () => call(await tokensOf('bob')));
});

it('of a suspension: tool calls are refused within two seconds, and the owner reads the trail', async () => {
  const [alice, bob, carol] = [await tokensOf('alice'), await tokensOf('bob'), await tokensOf('carol')];
  const call = async (user: { idToken: string }) =>
    outcome(await legs.callThroughHub(user.idToken, 'whoami'));
  for (const user of [alice, bob, carol]) expect(await call(user)).toEqual([200, undefined]);

  expect(outcome(await ask(alice.accessToken, 'POST', '/organization/suspend'))[0]).toBe(200);
  for (const user of [alice, bob]) await soon([403, 'organization_suspended'], () => call(user));
  expect(await call(carol)).toEqual([200, undefined]); // belongs to another organization
  expect(outcome(await ask(bob.accessToken, 'GET', '/sites'))).toEqual([403, 'organization_suspended']);
  const trail = await ask(alice.accessToken, 'GET', '/audit-events?action=organization.suspended');
  expect([trail.status, member(trail.answer, 'data', 0, 'actor', 'type')]).toEqual([200, 'user']);

  expect(outcome(await ask(alice.accessToken, 'POST', '/organization/reactivate'))[0]).toBe(200);
  expect(outcome(await ask(bob.accessToken, 'GET', '/sites'))[0]).toBe(200);
  await soon([200, undefined], () => call(bob));
});
