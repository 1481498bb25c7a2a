import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import type { Express } from 'express';
import request from 'supertest';
import { callWhoami } from './testing/call-whoami.ts';
import { sendJson } from './testing/http-server.ts';
import { createScene, type Scene } from './testing/scene.ts';

/**
 * Tests of sessions at a tool server of an older revision: how many the hub has opened, and which ones it has ended.
 */

let scene: Scene;
let otherHub: Express;
beforeEach(async () => {
  scene = await createScene({
    app: {
      verifyWorkload: async () => ({
        clientId: 'management-api',
        scopes: new Set(['internal:revocations']),
      }),
    },
  });
  scene.toolServer.mode = 'legacy-session';
  otherHub = scene.replica({});
});
afterEach(async () => {
  await scene.closeCalls();
  await scene.stop();
});

const opened = () => [...scene.toolServer.sessions].map(([id, { user }]) => `${id} of ${user}`);
const ended = () =>
  scene.toolServer.calls
    .filter(({ method }) => method === 'DELETE')
    .map(({ headers }) => {
      const id = String(headers['mcp-session-id']);
      return `${id} of ${scene.toolServer.sessions.get(id)?.user}`;
    });
const endedAre = (expected: readonly string[]) =>
  eventually('the ends of sessions', async () => ended().toSorted(), {
    until: (seen) => seen.join() === expected.join(),
  });

const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const openSession = async (claims: Record<string, unknown>) => {
  const { idToken, refreshToken } = await scene.idp.signIn(claims);
  const { body } = await request(scene.app)
    .post('/api/v1/sessions')
    .set(as(idToken))
    .send({ refresh_token: refreshToken })
    .expect(201);
  return { handle: String(body.session), idToken };
};

/** Calls as Alice at two hubs, and as Bob */
async function callAsBoth(alice: string): Promise<void> {
  const bob = await scene.idTokenOf('user_bob');
  expect(await callWhoami(scene.app, alice)).toBe(200);
  expect(await callWhoami(otherHub, alice)).toBe(200);
  expect(await callWhoami(scene.app, bob)).toBe(200);
  expect(await callWhoami(scene.app, alice)).toBe(200);
  expect([opened(), ended()]).toEqual([
    ['session_1 of user_alice', 'session_2 of user_alice', 'session_3 of user_bob'],
    [],
  ]);
}
const ALICES = ['session_1 of user_alice', 'session_2 of user_alice'];

it.each<[string, (alice: string) => Promise<unknown>]>([
  ['sign-out', (alice) => request(otherHub).delete('/api/v1/tokens').set(as(alice)).expect(204)],
  ['revoked access', () => revoke({ user_id: 'user_alice' })],
  ['logout at the identity provider', () => logOut({ sub: 'user_alice' })],
  ['logout of one sign-in there', () => logOut({ sub: 'user_alice', sid: 's1' })],
])('end with the %s of their user, at all hubs, while those of others continue', async (_what, end) => {
  await callAsBoth(await scene.idTokenOf('user_alice', { sid: 's1' }));
  await end(await scene.idTokenOf('user_alice', { sid: 's1' }));
  await endedAre(ALICES);
  expect(await callWhoami(scene.app, await scene.idTokenOf('user_bob'))).toBe(200);
  expect(opened()).toHaveLength(3);
});

it('end with the last session of their user', async () => {
  const { handle: first } = await openSession({ sub: 'user_alice' });
  const { handle: second } = await openSession({ sub: 'user_alice' });
  await callAsBoth(first);
  await request(scene.app).delete('/api/v1/sessions/current').set(as(first)).expect(204);
  expect(await callWhoami(scene.app, second)).toBe(200);
  expect([opened().length, ended()]).toEqual([3, []]);
  await request(scene.app).delete('/api/v1/sessions/current').set(as(second)).expect(204);
  await endedAre(ALICES);
});

it('end with the last session of their user, when that cannot be renewed', async () => {
  const { handle } = await openSession({ sub: 'user_alice' });
  await callAsBoth(handle);
  scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'invalid_grant' }) };
  scene.clock.advanceSeconds(280);
  expect(await callWhoami(scene.app, handle)).toBe('401 session_ended');
  await endedAre(ALICES);
});

it('end with the process', async () => {
  await callAsBoth(await scene.idTokenOf('user_alice'));
  await scene.closeCalls();
  await endedAre(opened());
});

it('end at once after an examination, which uses no other session', async () => {
  const alice = await scene.idTokenOf('user_alice');
  expect(await callWhoami(scene.app, alice)).toBe(200);
  await request(scene.app).post('/api/v1/connectors/con_tools/doctor').set(as(alice)).expect(200);
  await endedAre(['session_2 of user_alice']);
  expect(opened()).toHaveLength(2);
});

const revoke = (whose: object) =>
  request(otherHub)
    .post('/internal/v1/revocations')
    .set(as('of-a-workload'))
    .send({ organization_id: 'org_acme', reason: 'test', ...whose })
    .expect(200);
async function logOut(claims: Record<string, unknown>): Promise<void> {
  const exp = scene.clock().getTime() / 1000 + 120;
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = await scene.idp.mintIdToken({ exp, jti: 'logout', events, ...claims }, { typ: 'logout+jwt' });
  await request(otherHub)
    .post('/oauth/backchannel-logout')
    .type('form')
    .send({ logout_token: token })
    .expect(200);
}
