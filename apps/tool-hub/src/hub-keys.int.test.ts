import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clientKeysSetting } from '@legate/client-authentication';
import { createSigningKeys } from '@legate/jwt';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import request from 'supertest';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  newBrowser,
} from './testing/authorization-scene.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const newKeys = async (algorithm: 'ES256' | 'RS256') => {
  const keys = await createSigningKeys({ alg: algorithm, clock: () => new Date() });
  return keys.privateJwks().keys;
};

/** Creates a hub that signs with the first of these keys */
async function hubWith(keys: Awaited<ReturnType<typeof newKeys>>): Promise<AuthorizationScene> {
  const clientKeys = clientKeysSetting.parse(JSON.stringify({ keys }));
  const [privateJwk] = clientKeys;
  if (!privateJwk) throw new Error('no key');
  const hubClient = { clientId: 'tool-hub', clientAuth: { method: 'private_key_jwt' as const, privateJwk } };
  return createAuthorizationScene({}, { clientKeys }, { hubClient });
}

let scene: AuthorizationScene;
let keys: Awaited<ReturnType<typeof newKeys>>;
beforeEach(async () => {
  keys = [...(await newKeys('ES256')), ...(await newKeys('ES256'))];
  scene = await hubWith(keys);
});
afterEach(() => scene.stop());

const publishedKeys = async (): Promise<JSONWebKeySet> =>
  (await request(scene.app).get('/oauth/client-jwks.json').expect(200)).body;

async function verifiedAssertion(form: URLSearchParams) {
  expect([form.get('client_assertion_type'), form.get('client_secret')]).toEqual([ASSERTION_TYPE, null]);
  const assertion = form.get('client_assertion') ?? '';
  const currentDate = new Date((decodeJwt(assertion).iat ?? 0) * 1000); // the scene has its own clock
  const { payload, protectedHeader } = await jwtVerify(assertion, createLocalJWKSet(await publishedKeys()), {
    issuer: 'tool-hub',
    subject: 'tool-hub',
    audience: scene.idp.issuer,
    currentDate,
  });
  return { ...payload, kid: protectedHeader.kid };
}

/** Redeems a code, makes an exchange, a refresh and a revocation, and returns what each sent */
async function useEverything() {
  scene.idp.forms.length = 0;
  const agent = newBrowser();
  const tokens = await scene.tokens(agent);
  const call = await request(scene.app)
    .post('/mcp')
    .set({ Authorization: `Bearer ${tokens.access_token}`, 'MCP-Protocol-Version': '2025-06-18' })
    .set({ Host: 'hub.test', Accept: 'application/json, text/event-stream' })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  expect(call.status).toBe(200);
  scene.clock.advanceSeconds(3500);
  expect((await scene.listTools((await scene.refresh(tokens.refresh_token)).body.access_token)).status).toBe(
    200,
  );
  await scene.revoke(tokens.refresh_token);
  return scene.idp.forms.map((form) => [form.get('grant_type') ?? 'revocation', form] as const);
}

describe('a hub with keys at the identity provider', () => {
  it('signs a new assertion for each request, whatever the request is', async () => {
    const requests = await useEverything();
    expect(new Set(requests.map(([grant]) => grant))).toEqual(
      new Set([
        'authorization_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
        'refresh_token',
        'revocation',
      ]),
    );
    const assertions = await Promise.all(requests.map(([, form]) => verifiedAssertion(form)));
    expect(new Set(assertions.map(({ jti }) => jti)).size).toBe(requests.length);
    for (const { iat = 0, exp = 0, aud, kid } of assertions) {
      expect(exp - iat).toBe(60);
      expect(aud).toBe(scene.idp.issuer);
      expect(kid).toBe(keys[0]?.kid);
    }
  });

  it('publishes the public parts of all its keys, so that both are published during a rotation', async () => {
    const published = await publishedKeys();
    expect(published.keys.map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid));
    expect(published.keys.map((key) => Object.keys(key).sort())).toEqual(
      Array(2).fill(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']),
    );
  });

  it('signs with the new key once it is first, while the old one is still published', async () => {
    await scene.stop();
    scene = await hubWith([...keys].reverse());
    const [[, form] = []] = await useEverything();
    expect(form && decodeProtectedHeader(form.get('client_assertion') ?? '').kid).toBe(keys[1]?.kid);
  });
});

it('publishes no keys if it uses a secret', async () => {
  const other = await createAuthorizationScene();
  try {
    await request(other.app).get('/oauth/client-jwks.json').expect(404);
  } finally {
    await other.stop();
  }
});
