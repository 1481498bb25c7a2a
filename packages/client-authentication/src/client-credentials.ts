import { importJWK } from 'jose';
import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  modifyAssertion,
  PrivateKeyJwt,
} from 'openid-client';

/** How we authenticate at the token endpoint of an authorization server. */
export type ClientCredentials =
  | { readonly method: 'client_secret_post' | 'client_secret_basic'; readonly clientSecret: string }
  /** In the body, or by Basic where the server's metadata offers only that */
  | { readonly method: 'client_secret'; readonly clientSecret: string }
  | {
      readonly method: 'private_key_jwt';
      readonly privateJwk: Readonly<Record<string, unknown>>;
      /** Default: `issuer` */
      readonly assertionAudience?: AssertionAudience;
    };

/**
 * The `aud` of our assertions. RFC 7523bis wants the issuer: with the token endpoint, which a server names itself, one
 * server could have assertions made for another. Use `token_endpoint` only for keys that go to a single server.
 */
export const ASSERTION_AUDIENCES = ['issuer', 'token_endpoint'] as const;
export type AssertionAudience = (typeof ASSERTION_AUDIENCES)[number];

/** @throws {Error} for a private key that cannot be used */
export async function clientAuthentication(credentials: ClientCredentials): Promise<ClientAuth> {
  switch (credentials.method) {
    case 'client_secret_post':
      return ClientSecretPost(credentials.clientSecret);
    case 'client_secret_basic':
      return ClientSecretBasic(credentials.clientSecret);
    case 'client_secret':
      return secretAsOffered(credentials.clientSecret);
    case 'private_key_jwt':
      return signedAssertion(credentials.privateJwk, credentials.assertionAudience);
  }
}

/** Neither way is weaker than the other, so a server may choose between these two (docs/adr/0004). */
function secretAsOffered(clientSecret: string): ClientAuth {
  const [post, basic] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)];
  return (server, ...request) => {
    const offered = server.token_endpoint_auth_methods_supported;
    const isBasicOnly = offered?.includes('client_secret_basic') && !offered.includes('client_secret_post');
    return (isBasicOnly ? basic : post)(server, ...request);
  };
}

/** RFC 7523 §2.2. The library gives each assertion a `jti` of its own, and 60 seconds. */
async function signedAssertion(
  jwk: Readonly<Record<string, unknown>>,
  audience: AssertionAudience = 'issuer',
): Promise<ClientAuth> {
  const { kid, alg } = jwk;
  const key = await importJWK({ ...jwk }, typeof alg === 'string' ? alg : 'ES256');
  if (key instanceof Uint8Array) throw new Error('a client key must be asymmetric');
  const clientKey = typeof kid === 'string' ? { key, kid } : key;
  return (server, ...request) =>
    PrivateKeyJwt(clientKey, {
      [modifyAssertion](header, payload) {
        if (alg === 'EdDSA') header.alg = alg; // the older name of Ed25519 (RFC 9864)
        Object.assign(header, certificateThumbprints(jwk));
        if (audience === 'token_endpoint' && server.token_endpoint) payload.aud = server.token_endpoint;
      },
    })(server, ...request);
}

/** RFC 7515 §4.1.7 and §4.1.8: some servers know a key only by its certificate. */
function certificateThumbprints(jwk: Readonly<Record<string, unknown>>): Record<string, string> {
  const found = ['x5t', 'x5t#S256'].flatMap((name) => {
    const value = jwk[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return found.length > 0 ? { typ: 'JWT', ...Object.fromEntries(found) } : {};
}
