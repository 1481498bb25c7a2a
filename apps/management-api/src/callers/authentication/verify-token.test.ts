import { beforeAll, describe, expect, it } from '@jest/globals';
import { TokenRefused } from '@legate/jwt';
import {
  type CryptoKey,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { type AccessTokenType, createCallerTokenVerifier } from './verify-token.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const ISSUER = 'https://tenant.idp.example/';
const RESOURCE = 'https://api.example';
const CLIENT = 'frontend-app';

let signingKey: CryptoKey;
let keys: ReturnType<typeof createLocalJWKSet>;
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  signingKey = privateKey;
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] });
});

const COMMON = { iss: ISSUER, sub: 'user_alice', iat: NOW, exp: NOW + 3600, organization_id: 'org_acme' };
const ID_TOKEN = { ...COMMON, aud: CLIENT, nonce: 'n', at_hash: 'h', email: 'alice@acme.example' };

function verifierFor(types: readonly AccessTokenType[], claim = 'organization_id') {
  const issuers = [{ issuer: ISSUER, keys }];
  return createCallerTokenVerifier({
    issuers,
    audience: RESOURCE,
    clock,
    types,
    organizationRule: { claim },
  });
}

const outcome = (verified: Promise<unknown>) =>
  verified.then(
    () => 'accepted',
    (err: unknown) => (err instanceof TokenRefused ? err.reason : err),
  );

/** @param typ undefined for a token without `typ` */
const sign = (claims: JWTPayload, typ: string | undefined) =>
  new SignJWT({ ...COMMON, aud: RESOURCE, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k', ...(typ !== undefined && { typ }) })
    .sign(signingKey);

describe('access tokens as providers issue them', () => {
  it.each([
    ['Auth0', 'JWT', { aud: [RESOURCE, `${ISSUER}userinfo`], azp: CLIENT, scope: 'openid sites:read' }],
    ['Entra ID', 'JWT', { appid: 'c0ffee00-0000-4000-8000-000000000001', scp: 'sites:read openid' }],
    ['Keycloak', 'JWT', { aud: [RESOURCE, 'account'], azp: CLIENT, typ: 'Bearer', scope: 'sites:read' }],
    ['Okta', undefined, { cid: CLIENT, scp: ['openid', 'sites:read'], uid: 'user_alice' }],
  ])(
    'those of %s are accepted if their type is configured, with their scopes',
    async (_name, typ, claims) => {
      const token = await sign(claims, typ);
      const { claims: found } = await verifierFor(['at+jwt', typ === undefined ? 'absent' : 'JWT'])(token);
      expect(found.scope?.split(' ')).toContain('sites:read');
      expect(found.organization_id).toBe('org_acme');
      expect(await outcome(verifierFor(['at+jwt'])(token))).toBe('typ');
      expect(await outcome(verifierFor(['at+jwt', typ === undefined ? 'JWT' : 'absent'])(token))).toBe('typ');
    },
  );

  it('those of RFC 9068 need no scope, and are refused if only other types are accepted', async () => {
    const token = await sign({ client_id: CLIENT }, 'at+jwt');
    expect(await outcome(verifierFor(['at+jwt', 'JWT'])(token))).toBe('accepted');
    expect(await outcome(verifierFor(['JWT'])(token))).toBe('typ');
  });
});

describe('an ID token of the same provider', () => {
  it.each([
    ['at+jwt', ['at+jwt']],
    ['JWT', ['JWT']],
    ['all', ['at+jwt', 'JWT', 'absent']],
  ] as const)('is refused even if %s is accepted', async (_case, types) => {
    expect(await outcome(verifierFor(types)(await sign(ID_TOKEN, 'JWT')))).not.toBe('accepted');
  });

  // A provider may let a client choose its id, or use a URL (client ID metadata documents): then `aud` proves nothing.
  it.each([
    ['a nonce', { nonce: 'n', scope: 'openid' }],
    ['a hash of an access token', { at_hash: 'h', scope: 'openid' }],
    ['a hash of a code', { c_hash: 'h', scope: 'openid' }],
    ['the API as its own client', { azp: RESOURCE, scope: 'openid' }],
    [
      'the API among its audiences and as its client',
      { aud: ['x', RESOURCE], client_id: RESOURCE, scope: 'openid' },
    ],
    ['no scope', {}],
  ])('is refused by its claims with %s, even when its audience is the API', async (_case, claims) => {
    expect(await outcome(verifierFor(['at+jwt', 'JWT'])(await sign(claims, 'JWT')))).toBe('claims');
  });
});

it.each([
  [
    'a logout token',
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, scope: 'x' },
    'JWT',
  ],
  ['a typed logout token', { scope: 'x' }, 'logout+jwt'],
  ['an ID-JAG', { scope: 'x', client_id: 'hub', jti: 'j' }, 'oauth-id-jag+jwt'],
  ['a transaction token', { scope: 'x' }, 'txntoken+jwt'],
])('refuses %s of the same provider, whatever types are accepted', async (_case, claims, typ) => {
  expect(await outcome(verifierFor(['at+jwt', 'JWT', 'absent'])(await sign(claims, typ)))).toMatch(
    /claims|typ/,
  );
});

describe('the organization in a token', () => {
  it('is read from the configured claim only', async () => {
    const verify = verifierFor(['at+jwt'], 'org_id');
    const named = await verify(await sign({ org_id: 'org_globex' }, 'at+jwt'));
    expect(named.claims.organization_id).toBe('org_globex');
    for (const none of [{}, { org_id: null }, { org_id: '' }, { org_id: [] }, { organization_id: 'a:b' }]) {
      const unnamed = await verify(await sign(none, 'at+jwt'));
      expect(unnamed.claims.organization_id).toBeUndefined();
    }
  });

  it('is ambiguous if there are two', async () => {
    const token = await sign({ org_id: ['org_acme', 'org_globex'] }, 'at+jwt');
    expect(await outcome(verifierFor(['at+jwt'], 'org_id')(token))).toBe('organization_ambiguous');
  });

  it.each([7, [['org_acme']], { id: 'org_acme' }, 'a:b'])('is refused if it is %j', async (org_id) => {
    expect(await outcome(verifierFor(['at+jwt'], 'org_id')(await sign({ org_id }, 'at+jwt')))).toBe('claims');
  });
});
