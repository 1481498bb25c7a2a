import { beforeEach, expect, it } from '@jest/globals';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import { createMemoryBackend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, START, type TestClock } from '@legate/service/testing';
import express, { type Express } from 'express';
import { createLocalJWKSet } from 'jose';
import request from 'supertest';
import { createSessionStore } from '../../sign-in/session-store.ts';
import { testBudget } from '../../testing/memory-budget.ts';
import { backChannelLogoutRoutes } from './logout.ts';

const ISSUER = 'https://idp.example';
const log = createLogger({ service: 'test', level: 'silent' });
const keys: SigningKeys = await createSigningKeys({ alg: 'ES256', clock: () => START });

let clock: TestClock;
let app: Express;
let ended: unknown[];
let isProviderDown: boolean;

beforeEach(() => {
  isProviderDown = false;
  clock = createTestClock();
  ended = [];
  const memory = createSessionStore({
    store: createSecureStore({ backend: createMemoryBackend({ clock }), keys: generateEncryptionKeys() }),
    idleSeconds: 86_400,
    clock,
    log,
  });
  const known = createLocalJWKSet(keys.publicJwks());
  app = express().use(
    backChannelLogoutRoutes({
      issuer: {
        issuer: ISSUER,
        async keys(wanted) {
          if (isProviderDown) throw new TypeError('fetch failed');
          return known(wanted);
        },
      },
      audiences: ['app'],
      userClaim: 'sub',
      memory,
      sessions: {
        endAll: async (whose, how) => void ended.push([whose, how]),
        endToolSessions: async (whose) => void ended.push({ toolSessions: whose }),
      },
      cache: { revoke: async (tokens) => void ended.push(tokens) },
      budget: testBudget(),
      clock,
      log,
    }),
  );
});

const now = () => clock().getTime() / 1000;
const logoutToken = (claims: object = {}) =>
  keys.sign(
    {
      iss: ISSUER,
      aud: 'app',
      sub: 'user_alice',
      jti: 'j1',
      iat: now(),
      exp: now() + 120,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    },
    { typ: 'logout+jwt' },
  );
async function send(token: string) {
  const res = await request(app).post('/oauth/backchannel-logout').type('form').send({ logout_token: token });
  return res.status === 200 ? 200 : res.body.error;
}

it('refuses a repeated logout token, until it would be refused as expired', async () => {
  const [token, another] = [await logoutToken(), await logoutToken({ jti: 'j2' })];
  expect(await send(token)).toBe(200);
  clock.advanceSeconds(120 + 30); // after it has expired, but within the clock skew
  ended = [];
  expect(await send(token)).toBe('invalid_request');
  expect(ended).toEqual([]);
  expect(await send(another)).toBe(200);
});

it('ends all sessions of a user, and revokes the tokens', async () => {
  expect(await send(await logoutToken())).toBe(200);
  expect(ended).toEqual([
    [{ userId: 'user_alice' }, { signedOutAt: now() }],
    { userId: 'user_alice' },
    { toolSessions: { userId: 'user_alice' } },
  ]);
});

it('ends one sign-in if it is named, and also revokes the tokens of its user', async () => {
  expect(await send(await logoutToken({ sid: 's1' }))).toBe(200);
  expect(ended).toEqual([
    [{ sid: 's1' }, { signedOutAt: now() }],
    { userId: 'user_alice' },
    { toolSessions: { userId: 'user_alice' } },
  ]);
});

it('revokes no tokens of a user whose id has a colon, which is not supported', async () => {
  expect(await send(await logoutToken({ sub: 'a:b' }))).toBe(200);
  expect(ended).toEqual([[{ userId: 'a:b' }, { signedOutAt: now() }]]);
});

it('asks for the token again later if the keys of the provider are unavailable, and accepts it then', async () => {
  const token = await logoutToken();
  isProviderDown = true;
  expect([await send(token), ended]).toEqual(['temporarily_unavailable', []]);
  isProviderDown = false;
  expect(await send(token)).toBe(200);
});
