import { expect, it } from '@jest/globals';
import { createSigningKeys, createTokenVerifier, idpAccessToken, KeysUnavailable } from '@legate/jwt';
import { createIssuerKeySet } from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const ISSUER = 'https://idp.example/tenant';
const OIDC_URL = 'https://idp.example/tenant/.well-known/openid-configuration';
const RFC_8414_URL = 'https://idp.example/.well-known/oauth-authorization-server/tenant';
const JWKS_URL = 'https://keys.example/jwks';

const signingKeys = await createSigningKeys({ alg: 'ES256', clock });
const metadata = { issuer: ISSUER, jwks_uri: JWKS_URL };

/** Verifies a valid token with the keys found in these documents; every other URL fails. */
async function verifyWith(documents: Record<string, unknown>, jwksUri?: string) {
  const asked: string[] = [];
  const getJson = async (url: string) => {
    asked.push(url);
    if (!(url in documents)) throw new Error('status 404');
    return documents[url];
  };
  const keys = createIssuerKeySet({ issuer: ISSUER, getJson, clock, jwksUri });
  const verify = createTokenVerifier(idpAccessToken, {
    issuers: [{ issuer: ISSUER, keys }],
    audience: 'https://api.example',
    clock,
  });
  const token = await signingKeys.sign(
    { iss: ISSUER, sub: 'user_alice', aud: 'https://api.example', iat: NOW, exp: NOW + 60 },
    { typ: 'at+jwt' },
  );
  const outcome = await verify(token).then(
    ({ claims }) => claims.sub,
    (err: unknown) => err,
  );
  return { asked, outcome };
}

it('finds the keys by OpenID Connect discovery', async () => {
  const { asked, outcome } = await verifyWith({ [OIDC_URL]: metadata, [JWKS_URL]: signingKeys.publicJwks() });
  expect(outcome).toBe('user_alice');
  expect(asked).toEqual([OIDC_URL, JWKS_URL]);
});

it('falls back to the metadata of RFC 8414', async () => {
  const { asked, outcome } = await verifyWith({
    [RFC_8414_URL]: metadata,
    [JWKS_URL]: signingKeys.publicJwks(),
  });
  expect(outcome).toBe('user_alice');
  expect(asked).toEqual([OIDC_URL, RFC_8414_URL, JWKS_URL]);
});

it('fetches only the keys if their URL is given', async () => {
  const { asked, outcome } = await verifyWith({ [JWKS_URL]: signingKeys.publicJwks() }, JWKS_URL);
  expect(outcome).toBe('user_alice');
  expect(asked).toEqual([JWKS_URL]);
});

it.each([
  ['names another issuer', { ...metadata, issuer: 'https://evil.example' }],
  ['names the issuer with a slash more', { ...metadata, issuer: `${ISSUER}/` }],
  ['has no jwks_uri', { issuer: ISSUER }],
  ['is no object', 'hello'],
])('reports a discovery document that %s as an outage, not as a refusal', async (_case, document) => {
  const { outcome } = await verifyWith({ [OIDC_URL]: document, [JWKS_URL]: signingKeys.publicJwks() });
  expect(outcome).toBeInstanceOf(KeysUnavailable);
});

it('reports a key document that is not a JWKS as an outage', async () => {
  const { outcome } = await verifyWith({ [OIDC_URL]: metadata, [JWKS_URL]: { keys: 'none' } });
  expect(outcome).toBeInstanceOf(KeysUnavailable);
});

it('does not try a second URL if the issuer hangs', async () => {
  const asked: string[] = [];
  const getJson = async (url: string) => {
    asked.push(url);
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  };
  const keys = createIssuerKeySet({ issuer: ISSUER, getJson, clock });
  await expect(keys({ alg: 'RS256' })).rejects.toBeInstanceOf(KeysUnavailable);
  expect(asked).toEqual([OIDC_URL]);
});
