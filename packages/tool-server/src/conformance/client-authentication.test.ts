import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { oneTimeKey } from '@legate/jwt';
import { CLIENT_ASSERTION_TYPE, hashClientSecret } from '@legate/oauth';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import request from 'supertest';
import {
  createScene,
  type Form,
  HUB,
  NOW,
  oauthError,
  RESOURCE,
  type Scene,
  SECOND,
  TOKEN_ENDPOINT,
} from '../testing/scene.ts';

const NONE = { client_id: undefined, client_secret: undefined };
const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

const keys = await generateKeyPair('ES256', { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'c1', alg: 'ES256' }] };
const KEYED = 'keyed-client';
const ODD = { client_id: 'https://hub.example/client', client_secret: 'a+b %41:c/ü=secret' };

let scene: Scene;
const clients = [
  {
    clientId: HUB.client_id,
    secretHashes: [HUB.client_secret, 'the-next-secret-of-the-hub'].map(hashClientSecret),
  },
  { clientId: SECOND.client_id, secretHashes: [hashClientSecret(SECOND.client_secret)] },
  { clientId: ODD.client_id, secretHashes: [hashClientSecret(ODD.client_secret)] },
  { clientId: 'odd', secretHashes: [hashClientSecret(ODD.client_secret)] },
  { clientId: KEYED, jwks },
];
beforeAll(async () => {
  scene = await createScene({ clients });
});

async function redeemAs(clientId: string, form: Form, headers: Record<string, string> = {}) {
  return scene.redeem(await scene.idJag({ client_id: clientId }), { ...NONE, ...form }).set(headers);
}

it('counts failed attempts per address, and refuses all attempts after too many', async () => {
  const failed: (string | undefined)[] = [];
  const limited = await createScene({
    failures: {
      blockedSeconds: () => (failed.length >= 2 ? 42 : 0),
      recordFailure: async (address) => void failed.push(address),
    },
  });
  const guess = async (client_secret: string) =>
    limited.redeem(await limited.idJag(), { ...HUB, client_secret });
  expect((await guess(HUB.client_secret)).status).toBe(200);
  expect([(await guess('a')).status, (await guess('b')).status]).toEqual([401, 401]);
  expect(failed).toEqual([expect.stringContaining('127.0.0.1'), expect.stringContaining('127.0.0.1')]);
  const res = await guess(HUB.client_secret);
  expect([res.status, res.headers['retry-after']]).toEqual([429, '42']);
  expect((await request(limited.app).get('/.well-known/jwks.json')).status).toBe(200);
});

describe('authenticates a client by', () => {
  it('client_secret_post', async () => {
    expect((await redeemAs('tool-hub', HUB)).status).toBe(200);
  });
  it('client_secret_basic', async () => {
    expect((await redeemAs('tool-hub', {}, basic(HUB.client_id, HUB.client_secret))).status).toBe(200);
  });
  it('client_secret_basic with its client_id repeated in the body', async () => {
    const res = await redeemAs(
      'tool-hub',
      { client_id: 'tool-hub' },
      basic(HUB.client_id, HUB.client_secret),
    );
    expect(res.status).toBe(200);
  });
  it('either of two active secrets', async () => {
    const next = 'the-next-secret-of-the-hub';
    expect((await redeemAs('tool-hub', { ...HUB, client_secret: next })).status).toBe(200);
    expect((await redeemAs('tool-hub', {}, basic(HUB.client_id, next))).status).toBe(200);
  });
  it('a secret with special characters, form-encoded (RFC 6749), raw as many clients send it, or in the body', async () => {
    const encoded = basic('odd', encodeURIComponent(ODD.client_secret));
    expect((await redeemAs('odd', {}, encoded)).status).toBe(200);
    expect((await redeemAs('odd', {}, basic('odd', ODD.client_secret))).status).toBe(200);
    expect((await redeemAs(ODD.client_id, ODD)).status).toBe(200);
    const url = basic(encodeURIComponent(ODD.client_id), encodeURIComponent(ODD.client_secret));
    expect((await redeemAs(ODD.client_id, {}, url)).status).toBe(200);
  });
});

describe('a client is refused with invalid_client', () => {
  it.each<[string, Form, Record<string, string>]>([
    ['without authentication', {}, {}],
    ['with its identifier only', { client_id: 'tool-hub' }, {}],
    ['with an empty secret', { client_id: 'tool-hub', client_secret: '' }, {}],
    ['with a wrong secret', { client_id: 'tool-hub', client_secret: 'wrong' }, {}],
    ['with the secret of another client', { client_id: 'tool-hub', client_secret: SECOND.client_secret }, {}],
    [
      'with the hash of its secret',
      { client_id: 'tool-hub', client_secret: hashClientSecret(HUB.client_secret).toString('hex') },
      {},
    ],
    ['as somebody unknown', { client_id: 'nobody', client_secret: HUB.client_secret }, {}],
    ['as __proto__', { client_id: '__proto__', client_secret: 'x' }, {}],
    ['in other case', { client_id: 'Tool-Hub', client_secret: HUB.client_secret }, {}],
    ['with a secret where it has only keys', { client_id: KEYED, client_secret: 'x' }, {}],
    ['by a bearer token', {}, { Authorization: 'Bearer abc' }],
  ])('%s', async (_case, form, headers) => {
    const res = await redeemAs('tool-hub', form, headers);
    expect([res.status, res.body]).toEqual([401, oauthError('invalid_client')]);
    expect(res.headers['www-authenticate']).toBeUndefined();
  });

  it.each([
    ['a wrong secret', basic('tool-hub', 'wrong')],
    ['an unknown client', basic('nobody', HUB.client_secret)],
    ['no colon', { Authorization: `Basic ${Buffer.from('tool-hub').toString('base64')}` }],
    ['nothing', { Authorization: 'Basic' }],
    ['no base64', { Authorization: 'Basic %%%' }],
  ])('by Basic with %s, and a Basic challenge', async (_case, headers) => {
    const res = await redeemAs('tool-hub', {}, headers);
    expect([res.status, res.body]).toEqual([401, oauthError('invalid_client')]);
    expect(res.headers['www-authenticate']).toBe('Basic realm="token"');
  });
});

describe('two methods at once are invalid_request', () => {
  it.each<[string, Form, Record<string, string>]>([
    ['Basic and a secret in the body', HUB, basic(HUB.client_id, HUB.client_secret)],
    [
      'Basic and the identifier of another client',
      { client_id: 'second-client' },
      basic(HUB.client_id, HUB.client_secret),
    ],
    [
      'a secret and an assertion',
      { ...HUB, client_assertion: 'x', client_assertion_type: CLIENT_ASSERTION_TYPE },
      {},
    ],
    ['an assertion of an unknown type', { client_assertion: 'x', client_assertion_type: 'y' }, {}],
    ['an assertion without type', { client_assertion: 'x' }, {}],
  ])('%s', async (_case, form, headers) => {
    const res = await redeemAs('tool-hub', form, headers);
    expect([res.status, res.body]).toEqual([400, oauthError('invalid_request')]);
  });
});

describe('private_key_jwt', () => {
  const clientAssertion = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    new SignJWT({
      ...{ iss: KEYED, sub: KEYED, aud: RESOURCE, jti: randomUUID(), iat: NOW, exp: NOW + 60 },
      ...claims,
    } as JWTPayload)
      .setProtectedHeader({ alg: 'ES256', kid: 'c1', typ: 'client-authentication+jwt', ...header })
      .sign(keys.privateKey);

  const redeemWith = (client_assertion: string, form: Form = {}) =>
    redeemAs(KEYED, { client_assertion, client_assertion_type: CLIENT_ASSERTION_TYPE, ...form });

  it('authenticates a client, with and without client_id, with and without the new typ', async () => {
    expect((await redeemWith(await clientAssertion())).status).toBe(200);
    expect((await redeemWith(await clientAssertion(), { client_id: KEYED })).status).toBe(200);
    expect((await redeemWith(await clientAssertion({}, { typ: undefined }))).status).toBe(200);
  });

  it('stores a used client assertion, separately from ID-JAGs, for as long as it could be presented', async () => {
    const { used } = scene.store;
    const before = used.length;
    await redeemWith(await clientAssertion({ jti: 'the-assertion' }));
    expect(used[before]).toEqual([oneTimeKey(['client_assertion', KEYED, 'the-assertion']), 420]);
  });

  it('accepts each jti once', async () => {
    const assertion = await clientAssertion();
    expect((await redeemWith(assertion)).status).toBe(200);
    expect((await redeemWith(assertion)).body).toEqual(oauthError('invalid_client'));
  });

  it.each<[string, Record<string, unknown>]>([
    ['for the token endpoint', { aud: TOKEN_ENDPOINT }],
    ['for us and somebody else', { aud: [RESOURCE, 'https://other.example'] }],
    ['for somebody else', { aud: 'https://other.example' }],
    ['by another issuer', { iss: 'tool-hub' }],
    ['about another client', { sub: 'tool-hub' }],
    ['that has expired', { iat: NOW - 200, exp: NOW - 60 }],
    ['that lives too long', { exp: NOW + 301 }],
    ['without jti', { jti: undefined }],
    ['without exp', { exp: undefined }],
  ])('refuses an assertion %s', async (_case, claims) => {
    const res = await redeemWith(await clientAssertion(claims), { client_id: KEYED });
    expect([res.status, res.body]).toEqual([401, oauthError('invalid_client')]);
  });

  it('refuses an assertion signed by another key, or of a client that has none, or that is no JWT', async () => {
    const stranger = await generateKeyPair('ES256');
    const forged = await new SignJWT({
      iss: KEYED,
      sub: KEYED,
      aud: RESOURCE,
      jti: 'f',
      iat: NOW,
      exp: NOW + 60,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'c1' })
      .sign(stranger.privateKey);
    for (const [assertion, client_id] of [
      [forged, KEYED],
      [await clientAssertion(), 'tool-hub'],
      ['x', undefined],
      ['x', KEYED],
    ]) {
      const res = await redeemWith(assertion ?? '', { client_id });
      expect([res.status, res.body.error]).toEqual([401, 'invalid_client']);
    }
  });

  it('accepts an assertion for the token endpoint if the operator allows it', async () => {
    const lenient = await createScene({ clients, clientAssertionAudience: 'issuer_or_token_endpoint' });
    const res = await lenient.redeem(await lenient.idJag({ client_id: KEYED }), {
      ...NONE,
      client_assertion: await clientAssertion({ aud: TOKEN_ENDPOINT }),
      client_assertion_type: CLIENT_ASSERTION_TYPE,
    });
    expect(res.status).toBe(200);
  });
});
