import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { exchangeProfileOf } from '../../sign-in/identity-provider.ts';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  HUB,
  newBrowser,
  type Tokens,
} from '../../testing/authorization-scene.ts';
import { sendJson } from '../../testing/http-server.ts';

const CLAIMS = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}';
const OTHER_CLAIMS = '{"access_token":{"acrs":{"essential":true,"value":"c2"}}}';

let scene: AuthorizationScene;
let exchanges: number;
beforeEach(async () => {
  exchanges = 0;
  const place = {
    kind: 'generic',
    issuer: 'https://idp.example',
    clientIds: ['tool-hub'],
    services: [],
  } as const;
  scene = await createAuthorizationScene(
    {},
    { subjectTokenType: 'access_token', exchange: exchangeProfileOf(place) },
    {
      connector: {
        methods: [
          { method: 'token-exchange', audience: 'tools', tokenAudience: 'tools', issuer: undefined },
          { method: 'service', key: { kind: 'api_key', header: 'authorization', value: 'the-key' } },
        ],
      },
    },
  );
  scene.toolServer.misbehaviour = { resourceMetadata: { authorization_servers: [scene.idp.issuer] } };
  scene.toolServer.recognize = ({ authorization }) =>
    authorization === 'Bearer opaque-token' ? 'user_alice' : undefined;
});
afterEach(() => scene.stop());

/** Makes the identity provider ask for a sign-in with these claims; without an argument, it issues a token. */
function want(claims?: string): void {
  scene.idp.misbehaviour.exchange = (_req, res) => {
    exchanges += 1;
    return claims === undefined
      ? sendJson(res, 200, {
          ...{ access_token: 'opaque-token', token_type: 'Bearer', expires_in: 600 },
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        })
      : sendJson(res, 400, { error: 'interaction_required', error_codes: [50076], claims });
  };
}

const call = ({ access_token }: Tokens) =>
  request(scene.app)
    .post('/mcp/con_tools')
    .set({ Host: new URL(HUB).host, Authorization: `Bearer ${access_token}` })
    .set({ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } });

/** Authorizes a client again, and returns what each redirect to the identity provider asks for, and the end of it. */
async function visit(changes: Record<string, string> = {}) {
  const browser = newBrowser();
  const asked: URLSearchParams[] = [];
  let answer = await scene.visit(browser, scene.authorizationUrl(changes));
  for (let step = 0; step < 12 && answer.headers.location; step += 1) {
    const location: string = answer.headers.location;
    const isProvider = location.startsWith(scene.idp.issuer);
    if (!isProvider && !location.startsWith('/') && !location.startsWith(HUB)) break;
    if (isProvider) asked.push(new URL(location).searchParams);
    answer = await scene.visit(browser, isProvider ? scene.signIn(browser, location) : location);
  }
  return { asked, answer };
}

async function tokensOf(answer: request.Response, changes: Record<string, string> = {}): Promise<Tokens> {
  const code = new URL(answer.headers.location ?? '').searchParams.get('code') ?? '';
  return (await scene.redeem(code, changes)).body;
}

async function authorize() {
  const { asked, answer } = await visit();
  return { asked, tokens: await tokensOf(answer) };
}

const claimsAsked = async (changes: Record<string, string>) =>
  (await visit(changes)).asked.map((search) => search.get('claims'));

it('signs the user in again with the claims that the identity provider asks for', async () => {
  want(CLAIMS);
  const tokens = await scene.tokens();
  expect((await call(tokens)).status).toBe(401);
  expect((await scene.refresh(tokens.refresh_token)).status).toBe(400);
  want();
  const again = await authorize();
  expect(again.asked.map((search) => search.get('claims'))).toEqual([null, CLAIMS]);
  expect((await call(again.tokens)).status).toBe(200);
  expect((await authorize()).asked.map((search) => search.get('claims'))).toEqual([null]);
});

it('denies the user if the same claims are asked for after that sign-in, and sends no key', async () => {
  want(CLAIMS);
  await call(await scene.tokens());
  const again = await authorize();
  const refused = await call(again.tokens);
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([200, undefined]);
  expect(refused.text).toContain('delegation_denied');
  expect((await scene.refresh(again.tokens.refresh_token)).status).toBe(200);
  expect(scene.toolServer.calls).toEqual([]);
});

it('gives no session the token of another one that has signed in with the claims', async () => {
  want(CLAIMS);
  const weak = await scene.tokens();
  expect((await call(weak)).status).toBe(401);
  want();
  const { tokens } = await authorize();
  for (let calls = 0; calls < 2; calls += 1) expect((await call(tokens)).status).toBe(200);
  expect(exchanges).toBe(2);
  want(CLAIMS);
  const received = scene.toolServer.calls.length;
  expect((await call(weak)).status).toBe(401);
  expect([exchanges, scene.toolServer.calls.length]).toEqual([3, received]);
});

it('asks each session of a client for the claims', async () => {
  want(CLAIMS);
  const [first, second] = [await scene.tokens(), await scene.tokens()];
  expect((await call(first)).status).toBe(401);
  const { tokens } = await authorize();
  expect((await call(tokens)).text).toContain('delegation_denied');
  expect((await call(second)).status).toBe(401);
  expect((await authorize()).asked.map((search) => search.get('claims'))).toEqual([null, CLAIMS]);
});

it('asks a session for the same claims again after a quarter of an hour', async () => {
  want(CLAIMS);
  await call(await scene.tokens());
  const { tokens } = await authorize();
  expect((await call(tokens)).text).toContain('delegation_denied');
  scene.clock.advanceSeconds(900);
  expect((await call(tokens)).status).toBe(401);
});

describe('a user who allows a client', () => {
  // The user is asked about such a client each time.
  const native = { client_id: 'native', redirect_uri: 'http://127.0.0.1/callback' };

  it('has not met a demand that was made after the sign-in', async () => {
    const tokens = await scene.tokens(newBrowser(), native);
    const browser = newBrowser();
    const page = await scene.begin(browser, native);
    want(CLAIMS);
    expect((await call(tokens)).status).toBe(401);
    const later = await tokensOf(await scene.decide(browser, page), native);
    expect(await claimsAsked(native)).toEqual([null, CLAIMS]);
    expect((await call(later)).status).toBe(401);
  });

  it('has met the demand of the sign-in, and none that has replaced it', async () => {
    const [first, second] = [
      await scene.tokens(newBrowser(), native),
      await scene.tokens(newBrowser(), native),
    ];
    want(CLAIMS);
    await call(first);
    const browser = newBrowser();
    const page = await scene.begin(browser, native);
    want(OTHER_CLAIMS);
    expect((await call(second)).status).toBe(401);
    const later = await tokensOf(await scene.decide(browser, page), native);
    expect(await claimsAsked(native)).toEqual([null, OTHER_CLAIMS]);
    want(CLAIMS);
    expect((await call(later)).text).toContain('delegation_denied');
  });
});

it('asks again for other claims', async () => {
  want(CLAIMS);
  await call(await scene.tokens());
  const again = await authorize();
  want(OTHER_CLAIMS);
  expect((await call(again.tokens)).status).toBe(401);
});

it.each([
  ['no JSON', 'x&redirect_uri=https://evil.example'],
  ['too much', JSON.stringify({ access_token: 'x'.repeat(5000) })],
])('asks for no claims if the identity provider sends %s', async (_case, claims) => {
  want(claims);
  const tokens = await scene.tokens();
  expect((await call(tokens)).status).toBe(401);
  const [first] = (await authorize()).asked;
  expect([first?.get('claims'), first?.get('redirect_uri')]).toEqual([null, `${HUB}/oauth/callback`]);
});

it('reads no answer of a megabyte', async () => {
  want(JSON.stringify({ access_token: 'x'.repeat(1_000_000) }));
  expect((await call(await scene.tokens())).text).toContain('connector_misconfigured');
  expect((await authorize()).asked.map((search) => search.get('claims'))).toEqual([null]);
});

it('puts claims that name other parameters into the parameter claims alone', async () => {
  const claims = '{"redirect_uri":"https://evil.example","scope":"everything"}';
  want(claims);
  await call(await scene.tokens());
  const [, second] = (await authorize()).asked;
  expect(second?.getAll('redirect_uri')).toEqual([`${HUB}/oauth/callback`]);
  expect([second?.get('claims'), second?.get('scope')]).toEqual([
    claims,
    expect.not.stringContaining('everything'),
  ]);
});
