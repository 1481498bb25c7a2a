import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { exchange, hostile, member } from '@legate/dev';
import { needs } from '@legate/testing';
import {
  APPLICATION,
  CLIENT_AT_TOOL_SERVERS,
  type HubUnderTest,
  ORGANIZATION,
  startHubs,
} from './hub-under-test.ts';

const { it } = needs('time');

// Tests the built hub when users sign out of it or of the identity provider: whether their ID tokens and cached tokens
// still work.

/** Hub processes on one Redis if TEST_REDIS_URL names one; otherwise one process. */
const redisUrl = process.env.TEST_REDIS_URL || undefined;
const TOOLS = 'tools';
const OK = [200, undefined];
const SIGNED_OUT = [401, 'signed_out'];

const ledger = hostile.createLedger();
let toolServer: hostile.HostileToolServer;
let idp: hostile.HostileIdentityProvider;
let hubs: HubUnderTest[];
let users = 0;

beforeAll(async () => {
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  toolServer = await hostile.startHostileToolServer({ name: TOOLS, ledger });
  const toolServers = new Map([[TOOLS, toolServer]]);
  hubs = await startHubs({ ...{ count: redisUrl ? 2 : 1, idp, toolServers, ledger, redisUrl } });
});

afterEach(() => expect(ledger.straysAt([idp, toolServer])).toEqual([]));

afterAll(async () => {
  for (const hub of hubs ?? []) await hub.stop();
  await idp?.stop();
  await toolServer?.stop();
});

/** A user for this test only */
function newUser() {
  users += 1;
  return { id: `user_${users}`, organizationId: ORGANIZATION };
}

/** ID tokens issued some seconds ago, because a sign-out ends tokens that were issued in an earlier second. */
const signIn = (user: { id: string; organizationId: string }, claims: object = {}) =>
  idp.signIn(user, APPLICATION, { iat: Math.floor(Date.now() / 1000) - 10, ...claims });

const hubUrl = (hub = hubs[0]): string => hub?.url ?? '';

async function ask(method: 'POST' | 'DELETE', url: string, idToken: string, json: object = {}) {
  const authorization = { Authorization: `Bearer ${idToken}` };
  const body = method === 'POST' ? { json } : undefined;
  const { status, answer } = await exchange(method, url, body, authorization);
  return [status, member(answer, 'code')];
}

const call = (idToken: string, hub?: HubUnderTest) =>
  ask('POST', `${hubUrl(hub)}/api/v1/connectors/${TOOLS}/tools/whoami/call`, idToken);
const openSession = (idToken: string, hub?: HubUnderTest) =>
  ask('POST', `${hubUrl(hub)}/api/v1/sessions`, idToken);
const signOut = (idToken: string, hub?: HubUnderTest) =>
  ask('DELETE', `${hubUrl(hub)}/api/v1/tokens`, idToken);

/** Sends the identity provider's logout token to the last of the hubs */
async function logOut(who: { sub: string } | { sid: string }): Promise<number> {
  const logoutToken = await idp.signLogoutToken(who, APPLICATION);
  const { status } = await exchange('POST', `${hubUrl(hubs.at(-1))}/oauth/backchannel-logout`, {
    form: { logout_token: logoutToken },
  });
  return status;
}

it('ends ID token and cached tokens of a user without a session by a logout token with only sid', async () => {
  const [user, sid] = [newUser(), randomUUID()];
  const idToken = await signIn(user, { sid });
  expect([await call(idToken), await call(idToken, hubs.at(-1))]).toEqual([OK, OK]);
  const exchanges = idp.exchanges;
  expect(await logOut({ sid })).toBe(200);
  expect([await call(idToken), await call(idToken, hubs.at(-1))]).toEqual([SIGNED_OUT, SIGNED_OUT]);
  expect(idp.exchanges).toBe(exchanges);
  // The logout does not affect another sign-in of the user, which gets its own token.
  expect(await call(await signIn(user, { sid: randomUUID() }))).toEqual(OK);
  expect(idp.exchanges).toBe(exchanges + 1);
});

it('opens no session with an ID token whose sign-in has ended', async () => {
  const sid = randomUUID();
  const idToken = await signIn(newUser(), { sid });
  expect(await call(idToken)).toEqual(OK);
  expect(await logOut({ sid })).toBe(200);
  expect([await openSession(idToken), await openSession(idToken, hubs.at(-1))]).toEqual([
    SIGNED_OUT,
    SIGNED_OUT,
  ]);
});

it('ends all earlier ID tokens when the identity provider signs a user out, and accepts later ones', async () => {
  const user = newUser();
  const [one, other] = [await signIn(user), await signIn(user, { sid: randomUUID() })];
  const neighbours = await signIn(newUser());
  expect(await call(one)).toEqual(OK);
  expect(await logOut({ sub: user.id })).toBe(200);
  expect([await call(one), await call(other), await openSession(one)]).toEqual([
    SIGNED_OUT,
    SIGNED_OUT,
    SIGNED_OUT,
  ]);
  expect(await call(neighbours)).toEqual(OK);
  expect(await call(await idp.signIn(user, APPLICATION))).toEqual(OK);
});

it('refuses the ID token with which its user has signed out of the hub', async () => {
  const user = newUser();
  const idToken = await idp.signIn(user, APPLICATION);
  expect(await call(idToken)).toEqual(OK);
  const exchanges = idp.exchanges;
  expect(await signOut(idToken)).toEqual([204, undefined]);
  expect([await call(idToken), await call(idToken, hubs.at(-1)), await openSession(idToken)]).toEqual([
    SIGNED_OUT,
    SIGNED_OUT,
    SIGNED_OUT,
  ]);
  expect(idp.exchanges).toBe(exchanges);
  expect(await call(await idp.signIn(user, APPLICATION))).toEqual(OK);
});
