import { beforeAll, describe, expect, it } from '@jest/globals';
import { createSigningKeys, createTokenVerifier, transactionToken } from '@legate/jwt';
import { createLocalJWKSet, decodeProtectedHeader } from 'jose';
import request from 'supertest';
import {
  API,
  createTransactionScene,
  ISSUER,
  TOKEN_EXCHANGE,
  type TransactionScene,
  TXN_TOKEN,
} from '../../testing/transaction-scene.ts';

let scene: TransactionScene;
beforeAll(async () => {
  scene = await createTransactionScene();
});
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('is returned with its type, lifetime and scope, and never with a refresh token', async () => {
  const answer = await scene.ask();
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    issued_token_type: TXN_TOKEN,
    token_type: 'N_A',
    expires_in: 60,
    scope: 'sites:list',
  });
});

it('has the claims of the draft and no others, and passes the verifier of a service', async () => {
  const { access_token } = (await scene.ask({ request_details: '{"limit":20}' })).body;
  expect(decodeProtectedHeader(access_token)).toEqual({
    typ: 'txntoken+jwt',
    alg: 'ES256',
    kid: scene.signingKeys.publicJwks().keys[0]?.kid,
  });
  const keys = createLocalJWKSet((await request(scene.app).get('/.well-known/jwks.json')).body);
  const verify = createTokenVerifier(transactionToken, {
    issuers: [{ issuer: ISSUER, keys }],
    audience: API,
    clock: scene.clock,
  });
  expect((await verify(access_token)).claims).toEqual({
    iss: ISSUER,
    aud: API,
    sub: 'user_alice',
    txn: expect.stringMatching(UUID),
    jti: expect.stringMatching(UUID),
    iat: scene.now(),
    exp: scene.now() + 60,
    scope: 'sites:list',
    req_wl: 'tools',
    tctx: { organization_id: 'org_acme', limit: 20 },
    rctx: { client_id: 'tool-hub' },
  });
});

it('has the roles of the subject token, and nothing else about the user', async () => {
  const subject_token = await scene.accessToken({
    roles: ['viewer'],
    email: 'alice@acme.example',
    groups: ['g'],
  });
  const claims = await scene.claimsFor({ subject_token });
  expect(claims.tctx).toEqual({ organization_id: 'org_acme', roles: ['viewer'] });
  expect(JSON.stringify(claims)).not.toContain('alice@acme.example');
});

it('is a new transaction each time', async () => {
  const subject_token = await scene.accessToken();
  const [first, second] = [
    await scene.claimsFor({ subject_token }),
    await scene.claimsFor({ subject_token }),
  ];
  expect([first.txn === second.txn, first.jti === second.jti, first.sub === second.sub]).toEqual([
    false,
    false,
    true,
  ]);
});

describe('is valid', () => {
  it.each([
    [3600, 60],
    [61, 60],
    [60, 60],
    [59, 59],
    [1, 1],
    [1.9, 1],
  ])('if its subject token is valid for %d s, for %d s', async (left, lifetime) => {
    const subject_token = await scene.accessToken({ exp: scene.now() + left });
    const answer = await scene.ask({ subject_token });
    expect([answer.status, answer.body.expires_in]).toEqual([200, lifetime]);
  });

  it('not at all if its subject token is valid for less than a second', async () => {
    const subject_token = await scene.accessToken({ exp: scene.now() + 0.9 });
    expect((await scene.ask({ subject_token })).body.error).toBe('invalid_request');
  });

  it.each([5, 300])("for the time in its workload's configuration: %d s", async (lifetimeSeconds) => {
    const other = await createTransactionScene({ lifetimeSeconds });
    expect((await other.ask()).body.expires_in).toBe(lifetimeSeconds);
  });

  it.each([4, 301])('never for %d s', async (lifetimeSeconds) => {
    await expect(createTransactionScene({ lifetimeSeconds })).rejects.toThrow();
  });
});

it('appears in the log only by its identifiers, as does its subject token', async () => {
  const subject_token = await scene.accessToken();
  const { access_token } = (await scene.ask({ subject_token })).body;
  const line = scene.logged().trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    msg: 'transaction token issued',
    txn: expect.stringMatching(UUID),
    req_wl: 'tools',
    sub: 'user_alice',
    organization_id: 'org_acme',
    scope: 'sites:list',
    audience: API,
  });
  for (const token of [access_token, subject_token]) {
    for (const part of token.split('.')) expect(scene.logged()).not.toContain(part);
  }
});

describe('keys and metadata', () => {
  it('contain what a workload and a service need', async () => {
    const { body, headers } = await request(scene.app).get('/.well-known/oauth-authorization-server');
    expect(body).toEqual({
      issuer: ISSUER,
      token_endpoint: `${ISSUER}/oauth/token`,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      response_types_supported: [],
      grant_types_supported: [TOKEN_EXCHANGE],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['ES256']),
    });
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    });
    const posted = await request(scene.app).post('/.well-known/jwks.json');
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('can be read by pages of any origin, which need a preflight at most every two hours', async () => {
    const { headers } = await request(scene.app)
      .options('/.well-known/jwks.json')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD',
      'access-control-max-age': '7200',
    });
  });

  it('contain only public keys, and both of them after a rotation', async () => {
    const clock = scene.clock;
    const old = await createSigningKeys({ alg: 'ES256', clock });
    const next = await createSigningKeys({ alg: 'ES256', clock });
    const jwks = { keys: [...next.privateJwks().keys, ...old.privateJwks().keys] };
    const rotated = await createTransactionScene({
      signingKeys: await createSigningKeys({ alg: 'ES256', clock, jwks }),
    });
    const { body } = await request(rotated.app).get('/.well-known/jwks.json');
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(jwks.keys.map(({ kid }) => kid));
    expect(JSON.stringify(body)).not.toContain('"d"');
    const { access_token } = (await rotated.ask()).body;
    expect(decodeProtectedHeader(access_token).kid).toBe(jwks.keys[0]?.kid);
  });
});
