import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { admin } from '../testing/exchange.ts';
import { listen } from '../testing/listen.ts';
import { SCENE } from '../testing/scene.ts';
import { signIn } from '../testing/sign-in.ts';

/** A client with a back-channel logout endpoint, which records the requests that it receives. */
let client: Server;
let notified: URLSearchParams[];
let answerWith: number;
let world: Awaited<ReturnType<typeof listen>>;

beforeEach(async () => {
  notified = [];
  answerWith = 200;
  client = createServer(async (req, res) => {
    notified.push(new URLSearchParams(await text(req)));
    res.writeHead(answerWith).end();
  });
  await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
  const backchannel_logout_uri = `http://127.0.0.1:${(client.address() as AddressInfo).port}/logout`;
  const clients = SCENE.clients.map((entry) =>
    entry.client_id === 'app' ? { ...entry, backchannel_logout_uri } : entry,
  );
  world = await listen({ scene: { ...SCENE, clients }, idTokenTtlSeconds: 30 });
});
afterEach(async () => {
  await world.close();
  await new Promise((resolve) => client.close(resolve));
});

const readLogoutToken = (form: URLSearchParams | undefined) =>
  jwtVerify(
    form?.get('logout_token') ?? '',
    createRemoteJWKSet(new URL(`${world.issuer}/.well-known/jwks.json`)),
    { issuer: world.issuer, audience: 'app', typ: 'logout+jwt' },
  );

it('sends the client of an ended sign-in a logout token with the sid of its ID tokens, also renewed ones', async () => {
  const { client: app, browser, tokens } = await signIn(world.issuer, { scope: 'openid offline_access' });
  const { sid, iat = 0, exp } = decodeJwt(tokens.id_token ?? '');
  expect([typeof sid, exp]).toEqual(['string', iat + 30]);
  const renewed = await openid.refreshTokenGrant(app, tokens.refresh_token ?? '');
  expect(decodeJwt(renewed.id_token ?? '').sid).toBe(sid);

  await browser.submit(await browser.open(`${world.issuer}/oauth/logout`), { logout: 'yes' });
  expect(notified).toHaveLength(1);
  const { payload } = await readLogoutToken(notified[0]);
  expect(payload).toMatchObject({
    sid,
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  expect(payload.nonce).toBeUndefined();
});

it('sends one logout token for all sign-ins of a user who is disabled', async () => {
  await admin(world).patch('/users/user_alice').send({ name: 'Alice B' }).expect(200);
  expect(notified).toHaveLength(0);
  await admin(world).patch('/users/user_alice').send({ disabled: true }).expect(200);
  await admin(world).patch('/users/user_alice').send({ disabled: true }).expect(200);
  expect(notified).toHaveLength(1);
  const { payload } = await readLogoutToken(notified[0]);
  expect([payload.sub, payload.sid]).toEqual(['user_alice', undefined]);
});

it('disables a user even if the client does not respond, and logs the failure', async () => {
  answerWith = 500;
  await admin(world).patch('/users/user_alice').send({ disabled: true }).expect(200);
  expect(world.logged.join('')).toContain('logout token not accepted by a client');
  expect(world.logged.join('')).not.toContain(notified[0]?.get('logout_token')?.split('.')[2]);
});

it('announces back-channel logout in the discovery document', async () => {
  const answer = await fetch(`${world.issuer}/.well-known/openid-configuration`);
  expect(await answer.json()).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  });
});
