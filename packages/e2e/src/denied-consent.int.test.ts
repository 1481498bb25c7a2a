import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, type Legs, member, scene, signIn, text } from '@legate/dev';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('time');

/**
 * Tests that the hub refuses applications that a user has denied at the management API; it gets this with the
 * connectors.
 */

let stack: StackUnderTest;
let legs: Legs;
beforeAll(async () => {
  stack = await startStackUnderTest();
  legs = createLegs(stack.urls);
});
afterAll(() => stack?.stop());

type Answered = Awaited<ReturnType<typeof exchange>>;
const outcome = ({ status, answer }: Answered) => [status, status < 400 ? undefined : member(answer, 'code')];
const call = async (idToken: string) => outcome(await legs.callThroughHub(idToken, 'whoami'));

async function idTokenFor(user: keyof typeof scene.USERS, clientId: string): Promise<string> {
  const minted = await exchange(
    'POST',
    `${stack.urls['mock-idp']}/admin/id-tokens`,
    { json: { user: scene.USERS[user].email, client_id: clientId } },
    { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
  );
  return text(minted.answer, 'id_token');
}

it('an application that a user denies is refused for that user at the API and the hub; others are not', async () => {
  const denied = scene.IDP_CLIENTS.frontend.id;
  const resource = stack.urls['management-api'];
  const bob = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.bob.email, resource });
  const asBob = { Authorization: `Bearer ${bob.accessToken}` };
  const consent = `${resource}/api/v1/me/consents/${denied}`;
  // Before the hub has requested Acme's connectors, so that it has cached no older state.
  expect(outcome(await exchange('PUT', consent, { json: { decision: 'deny' } }, asBob))).toEqual([
    200,
    undefined,
  ]);

  expect(await call(bob.idToken)).toEqual([403, 'consent_denied']);
  expect(outcome(await exchange('GET', `${resource}/api/v1/sites`, {}, asBob))).toEqual([
    403,
    'consent_denied',
  ]);
  expect(await call(await idTokenFor('bob', scene.IDP_CLIENTS.hub.id))).toEqual([200, undefined]);
  expect(await call(await idTokenFor('alice', denied))).toEqual([200, undefined]);
  // The denied application cannot revoke the denial.
  expect(outcome(await exchange('PUT', consent, { json: { decision: 'approve' } }, asBob))).toEqual([
    403,
    'consent_denied',
  ]);
});
