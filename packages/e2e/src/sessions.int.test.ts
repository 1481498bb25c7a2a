import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, type Legs, member, ROOT, scene, signIn, text } from '@legate/dev';
import { needs } from '@legate/testing';
import { createMovedClock, type MovedClock } from './moved-clock.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { describe, it } = needs('time');

/** Tests sessions of the hub on a running stack whose clocks the test moves. */

const ID_TOKEN_SECONDS = 300;
const SERVICES = ['mock-idp', 'reference-mcp-server', 'tool-hub'] as const;

let stack: StackUnderTest;
let legs: Legs;
let clock: MovedClock;

beforeAll(async () => {
  clock = await createMovedClock();
  stack = await startStackUnderTest({
    services: SERVICES,
    env: {
      'mock-idp': { ...clock.env, ID_TOKEN_TTL_SECONDS: String(ID_TOKEN_SECONDS) },
      'reference-mcp-server': clock.env,
      'tool-hub': {
        ...clock.env,
        CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`,
        MANAGEMENT_API_URL: '',
      },
    },
  });
  legs = createLegs(stack.urls);
});
afterAll(async () => {
  await stack?.stop();
  await clock?.remove();
});

async function openSession(email: string, scope = 'openid offline_access') {
  const { idToken, refreshToken } = await signIn({ issuer: stack.urls['mock-idp'], email, scope });
  const opened = await exchange(
    'POST',
    `${stack.urls['tool-hub']}/api/v1/sessions`,
    { json: refreshToken === undefined ? {} : { refresh_token: refreshToken } },
    { Authorization: `Bearer ${idToken}` },
  );
  expect(opened.status).toBe(201);
  return { handle: text(opened.answer, 'session'), idToken };
}

const outcomeOf = async (token: string) => {
  const { status, answer } = await legs.callThroughHub(token, 'whoami');
  return status === 200 ? 200 : `${status} ${text(answer, 'code')}`;
};

/** Moves the clocks of all services until all existing ID tokens have expired. */
const expireIdTokens = () => clock.advance(2 * ID_TOKEN_SECONDS, stack, ...SERVICES);

const setDisabled = (email: string, disabled: boolean) =>
  exchange(
    'PATCH',
    `${stack.urls['mock-idp']}/admin/users/${email}`,
    { json: { disabled } },
    { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
  );

describe('a session of the hub', () => {
  it('outlives the ID token with which it was opened', async () => {
    const { handle, idToken } = await openSession(scene.USERS.alice.email);
    const called = await legs.callThroughHub(handle, 'whoami');
    expect(JSON.stringify(member(called.answer, 'structuredContent'))).toContain('user_alice');
    await expireIdTokens();
    expect(await outcomeOf(idToken)).toBe('401 token_expired');
    expect(await outcomeOf(handle)).toBe(200);
  });

  it('without a refresh token ends with its ID token', async () => {
    const { handle } = await openSession(scene.USERS.bob.email, 'openid');
    expect(await outcomeOf(handle)).toBe(200);
    await expireIdTokens();
    expect(await outcomeOf(handle)).toBe('401 session_ended');
  });

  it('ends at once when an administrator disables its user at the identity provider', async () => {
    const { handle } = await openSession(scene.USERS.alice.email);
    const carols = await openSession(scene.USERS.carol.email);
    expect(await outcomeOf(handle)).toBe(200);
    expect((await setDisabled(scene.USERS.alice.email, true)).status).toBe(200);
    try {
      expect(await outcomeOf(handle)).toBe('401 session_ended');
      expect(await outcomeOf(carols.handle)).toBe(200);
    } finally {
      await setDisabled(scene.USERS.alice.email, false);
    }
    expect(await outcomeOf(handle)).toBe('401 session_ended');
  });

  it('ends when its user signs out of the application, and not after a sign-out elsewhere', async () => {
    const { handle } = await openSession(scene.USERS.bob.email);
    const other = await openSession(scene.USERS.carol.email);
    expect((await legs.signOutOfHub(handle)).status).toBe(204);
    expect([await outcomeOf(handle), await outcomeOf(other.handle)]).toEqual(['401 session_ended', 200]);
  });
});
