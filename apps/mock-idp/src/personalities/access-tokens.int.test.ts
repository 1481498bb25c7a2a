import { afterEach, describe, expect, it } from '@jest/globals';
import type { KindName } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import request from 'supertest';
import { createBrowser } from '../testing/browser.ts';
import { encode, type Form, ID_JAG, ID_TOKEN } from '../testing/exchange.ts';
import { listen } from '../testing/listen.ts';
import { SCENE, TOKEN_EXCHANGE } from '../testing/scene.ts';
import { ALICE, beginSignIn, discover } from '../testing/sign-in.ts';
import { PERSONALITIES, type PersonalityName } from './personalities.ts';

/** The exchange of a user's access token for one of another audience: RFC 8693, and the on-behalf-of flow. */

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const HUB = { client_id: 'hub', client_secret: 'the-secret-of-the-hub' };
const CALLBACK = 'https://hub.example/oauth/callback';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function arrange(name: PersonalityName, api: object = {}) {
  const tools = {
    accepts: 'access_token',
    resource: 'https://tools.example/mcp',
    audience: 'tools',
    scopes: ['read', 'write'],
    clients: { hub: { scopes: ['read'] } },
    ...api,
  };
  const client = {
    client_id: 'tools',
    client_secrets: ['the-secret-of-the-tools'],
    grant_types: ['client_credentials'],
  };
  const world = await listen({
    personality: PERSONALITIES[name],
    scene: {
      ...SCENE,
      clients: [...SCENE.clients, client, ...['bare', '$&"'].map((id) => ({ ...client, client_id: id }))],
      resource_servers: [...SCENE.resource_servers, tools],
    },
  });
  close = world.close;
  const metadata = (await discover(world.issuer)).serverMetadata();
  const { origin } = new URL(world.issuer);
  const post = async (form: Form) => {
    const { status, body } = await request(origin)
      .post(new URL(String(metadata.token_endpoint)).pathname)
      .type('form')
      .send(encode({ ...HUB, ...form }));
    return { status, body };
  };
  /** Signs Alice in at a client, and returns the tokens. */
  const signIn = async (parameters: Record<string, string> = {}) => {
    const hub = await discover(world.issuer, HUB.client_id, HUB.client_secret);
    const { url, checks } = await beginSignIn(hub, { redirect_uri: CALLBACK, ...parameters });
    const browser = createBrowser();
    const result = await browser.submit(await browser.open(url), ALICE);
    if (!('left' in result)) throw new Error(`not signed in: ${result.page.status}`);
    return openid.authorizationCodeGrant(hub, result.left, checks);
  };
  return { ...world, post, signIn };
}

const rfc8693 = (token: string, changes: Form = {}): Form => ({
  grant_type: TOKEN_EXCHANGE,
  requested_token_type: ACCESS_TOKEN,
  subject_token_type: ACCESS_TOKEN,
  subject_token: token,
  audience: 'tools',
  scope: 'read',
  ...changes,
});
const onBehalfOf = (token: string, changes: Form = {}): Form => ({
  grant_type: JWT_BEARER,
  requested_token_use: 'on_behalf_of',
  assertion: token,
  scope: 'tools/read offline_access',
  ...changes,
});
const recorded = (kind: KindName, name: string) => readRecording(kind, name).response;
const namesOf = (body: object) => Object.keys(body).toSorted();

describe.each(['keycloak', 'auth0'] as const)('%s', (name) => {
  it("exchanges the access token of the client's sign-in, and answers with the recorded members", async () => {
    const { issuer, post, signIn } = await arrange(name);
    const { access_token: token } = await signIn();
    const { status, body } = await post(rfc8693(token));
    expect([status, namesOf(body)]).toEqual([200, namesOf(recorded(name, 'token-exchange').body)]);
    expect(decodeProtectedHeader(body.access_token).typ).toBe('JWT');
    expect(decodeJwt(body.access_token)).toMatchObject({
      ...{ iss: issuer, sub: 'user_alice', aud: 'tools', azp: 'hub', scope: 'read' },
      ...(name === 'auth0' && { org_id: 'org_acme', act: { sub: 'hub', act: { sub: 'hub' } } }),
    });
  });

  it('exchanges its own tokens again if they name the client as audience', async () => {
    const { post, signIn } = await arrange(name);
    const { body } = await post(rfc8693((await signIn()).access_token));
    const again = {
      ...rfc8693(body.access_token),
      client_id: 'tools',
      client_secret: 'the-secret-of-the-tools',
    };
    expect((await post(again)).body.error).not.toBe('invalid_grant'); // its exchange is off
    expect((await post(rfc8693(body.access_token))).status).toBe(200); // issued to the hub
  });
});

it.each([
  ['id-token-as-subject', { subject_token_type: ID_TOKEN, requested_token_type: ID_JAG }],
  ['audience-no-client', { audience: 'https://unknown.example' }],
] as const)('keycloak refuses as recorded: %s', async (name, changes) => {
  const { post, signIn } = await arrange('keycloak');
  const { access_token: token, id_token: idToken } = await signIn();
  const subject = name === 'id-token-as-subject' ? String(idToken) : token;
  expect(await post(rfc8693(subject, changes))).toEqual(recorded('keycloak', name));
});

it('keycloak refuses an ID token, another client, and a client that is no audience', async () => {
  const { post, signIn } = await arrange('keycloak');
  const { access_token: token, id_token: idToken = '' } = await signIn();
  expect(await post(rfc8693(idToken))).toEqual(recorded('keycloak', 'id-token-as-subject'));
  const stranger = { client_id: 'stranger', client_secret: 'the-secret-of-stranger' };
  expect(await post(rfc8693(token, stranger))).toEqual(recorded('keycloak', 'client-not-in-audience'));
  const { status, body } = recorded('keycloak', 'audience-not-available');
  for (const audience of ['bare', '$&"'])
    expect(await post(rfc8693(token, { audience }))).toEqual({
      status,
      body: { ...body, error_description: `Requested audience not available: ${audience}` },
    });
});

it.each(['write', 'unheard-of'])('keycloak refuses a scope that the client lacks: %s', async (scope) => {
  const { post, signIn } = await arrange('keycloak');
  const { access_token: token } = await signIn();
  expect(await post(rfc8693(token, { scope: `read ${scope}` }))).toEqual({
    status: 400,
    body: { error: 'invalid_scope', error_description: `Invalid scopes: read ${scope}` },
  });
});

it('auth0 refuses an API that the client may not use', async () => {
  const { post, signIn } = await arrange('auth0', { clients: {} });
  expect(await post(rfc8693((await signIn()).access_token))).toEqual(recorded('auth0', 'client-not-linked'));
});

describe('entra', () => {
  const SCOPE = { scope: 'openid api://hub/access_as_user' };

  it('exchanges on behalf of the user, and answers with the recorded members without a refresh token', async () => {
    const { post, signIn } = await arrange('entra');
    const { access_token: token } = await signIn(SCOPE);
    const { status, body } = await post(onBehalfOf(token));
    const { refresh_token: _refreshToken, ...members } = recorded('entra', 'on-behalf-of').body;
    expect([status, namesOf(body), body.scope]).toEqual([200, namesOf(members), 'tools/read']);
    const claims = decodeJwt(body.access_token);
    expect(claims).toMatchObject({
      aud: 'tools',
      oid: 'user_alice',
      tid: '8eaef023-2b34-4da1-9baa-8bc8c9d6a490',
      azp: 'hub',
      scp: 'read',
    });
    expect(claims.sub).not.toBe('user_alice');
    const { body: all } = await post(onBehalfOf(token, { scope: 'tools/.default' }));
    expect(all.scope).toBe('tools/read');
  });

  it.each([
    ['tools', 'tools'],
    ['api://tools', 'tools'],
    ['api://no-client', 'api://no-client'],
    ['https://tools.example', 'https://tools.example'],
  ])('names the client of the API %s as audience, if it has one: %s', async (audience, aud) => {
    const { post, signIn } = await arrange('entra', { audience });
    const { access_token: token } = await signIn(SCOPE);
    const { body } = await post(onBehalfOf(token, { scope: `${audience}/read` }));
    expect([decodeJwt(body.access_token).aud, body.scope]).toEqual([aud, `${audience}/read`]);
  });

  it.each([
    ['exchange-unknown', (token: string) => rfc8693(token)],
    ['scope-invalid', (token: string) => onBehalfOf(token, { scope: 'unknown/read' })],
    ['scope-invalid', (token: string) => onBehalfOf(token, { scope: 'tools/write' })],
  ] as const)('refuses as recorded: %s', async (name, form) => {
    const { post, signIn } = await arrange('entra');
    expect(await post(form((await signIn(SCOPE)).access_token))).toEqual(recorded('entra', name));
  });

  it('refuses an ID token, a token for another audience, and an API without consent', async () => {
    const { post, signIn } = await arrange('entra');
    const { access_token: withoutScope, id_token: idToken = '' } = await signIn();
    expect(await post(onBehalfOf(idToken))).toEqual(recorded('entra', 'id-token-as-assertion'));
    expect(await post(onBehalfOf(withoutScope))).toEqual(recorded('entra', 'assertion-for-another'));
    await close();
    const unconsented = await arrange('entra', { clients: {} });
    const { access_token: token } = await unconsented.signIn(SCOPE);
    expect(await unconsented.post(onBehalfOf(token))).toEqual(recorded('entra', 'consent-required'));
  });

  it('demands a stronger sign-in with claims, and takes the token of a sign-in that answers them', async () => {
    const { post, signIn } = await arrange('entra', { step_up: true });
    const refused = await post(onBehalfOf((await signIn(SCOPE)).access_token));
    expect(refused).toEqual(recorded('entra', 'mfa-required'));
    const { access_token: stronger } = await signIn({ ...SCOPE, claims: refused.body.claims });
    expect((await post(onBehalfOf(stronger))).status).toBe(200);
  });
});

it('mock-idp itself exchanges access tokens as RFC 8693 says', async () => {
  const { post, signIn } = await arrange('strict');
  const { status, body } = await post(rfc8693((await signIn()).access_token));
  expect([status, body.token_type, body.issued_token_type, body.scope]).toEqual([
    200,
    'Bearer',
    ACCESS_TOKEN,
    'read',
  ]);
});
