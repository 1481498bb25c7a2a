import { importJWK } from 'jose';
import {
  type ClientAuth,
  type ClientMetadata,
  ClientSecretPost,
  modifyAssertion,
  PrivateKeyJwt,
  type ServerMetadata,
  TlsClientAuth,
} from 'openid-client';

/** How we authenticate at the token endpoint of an authorization server. */
export type ClientCredentials =
  | { readonly method: 'client_secret_post' | 'client_secret_basic'; readonly clientSecret: string }
  /** Sends the secret in the body, or by Basic if the server's metadata offers only Basic. */
  | { readonly method: 'client_secret'; readonly clientSecret: string }
  | {
      readonly method: 'private_key_jwt';
      readonly privateJwk: Readonly<Record<string, unknown>>;
      /** Default: `issuer` */
      readonly assertionAudience?: AssertionAudience;
    };

/**
 * The connection authenticates us, by a client certificate issued by a CA or a registered one (RFC 8705 §2). The
 * requests have to be sent with a `fetch` that presents it.
 */
export interface CertificateCredentials {
  readonly method: 'tls_client_auth' | 'self_signed_tls_client_auth';
}

/**
 * The `aud` of our assertions: the issuer, as RFC 7523bis requires, or the endpoint to which the request is sent, which
 * is the token endpoint or the revocation endpoint. An endpoint comes from the server's metadata, so with it one server
 * could obtain assertions for another. Use `token_endpoint` only for keys that are used at a single server.
 */
export const ASSERTION_AUDIENCES = ['issuer', 'token_endpoint'] as const;
export type AssertionAudience = (typeof ASSERTION_AUDIENCES)[number];

/** @throws {Error} if the private key cannot be used */
export async function clientAuthentication(
  credentials: ClientCredentials | CertificateCredentials,
): Promise<ClientAuth> {
  switch (credentials.method) {
    case 'client_secret_post':
      return ClientSecretPost(credentials.clientSecret);
    case 'client_secret_basic':
      return basicAuth(credentials.clientSecret);
    case 'client_secret':
      return secretAsOffered(credentials.clientSecret);
    case 'private_key_jwt':
      return signedAssertion(credentials.privateJwk, credentials.assertionAudience);
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      return TlsClientAuth();
  }
}

/** Returns the metadata of a client: with a certificate, its requests go to `mtls_endpoint_aliases` (RFC 8705 §5). */
export const clientMetadata = ({
  method,
}: Pick<ClientCredentials | CertificateCredentials, 'method'>): Partial<ClientMetadata> =>
  method === 'tls_client_auth' || method === 'self_signed_tls_client_auth'
    ? { use_mtls_endpoint_aliases: true }
    : {};

/**
 * Returns how a client authenticates at a token endpoint. If the secret may be sent in either way, the server chooses:
 * neither is weaker than the other (docs/adr/0004).
 * @param offered `token_endpoint_auth_methods_supported` (RFC 8414 §2)
 */
export function tokenEndpointAuthMethod(
  { method }: Pick<ClientCredentials, 'method'>,
  offered: readonly string[] | undefined,
): Exclude<ClientCredentials['method'], 'client_secret'> {
  if (method !== 'client_secret') return method;
  const isBasicOnly = offered?.includes('client_secret_basic') && !offered.includes('client_secret_post');
  return isBasicOnly ? 'client_secret_basic' : 'client_secret_post';
}

function secretAsOffered(clientSecret: string): ClientAuth {
  const [post, basic] = [ClientSecretPost(clientSecret), basicAuth(clientSecret)];
  return (server, ...request) => {
    const offered = server.token_endpoint_auth_methods_supported;
    const method = tokenEndpointAuthMethod({ method: 'client_secret' }, offered);
    return (method === 'client_secret_basic' ? basic : post)(server, ...request);
  };
}

/**
 * RFC 6749 §2.3.1. The library also escapes `-`, `_` and `.`, so servers that do not decode the id and the secret would
 * not recognize them.
 */
const basicAuth =
  (clientSecret: string): ClientAuth =>
  (_server, client, _body, headers) => {
    const pair = `${formEncoded(client.client_id)}:${formEncoded(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

/** RFC 6749 appendix B */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** RFC 7523 §2.2. The library adds a unique `jti` to each assertion, and a lifetime of 60 seconds. */
async function signedAssertion(
  jwk: Readonly<Record<string, unknown>>,
  audience: AssertionAudience = 'issuer',
): Promise<ClientAuth> {
  const { kid, alg } = jwk;
  const key = await importJWK({ ...jwk }, typeof alg === 'string' ? alg : 'ES256');
  if (key instanceof Uint8Array) throw new Error('a client key must be asymmetric');
  const clientKey = typeof kid === 'string' ? { key, kid } : key;
  return (server, client, body, headers) =>
    PrivateKeyJwt(clientKey, {
      [modifyAssertion](header, payload) {
        if (alg === 'EdDSA') header.alg = alg; // the older algorithm name for Ed25519 (RFC 9864)
        Object.assign(header, certificateThumbprints(jwk));
        if (audience === 'token_endpoint') payload.aud = targetOf(server, client, body);
      },
    })(server, client, body, headers);
}

/**
 * Returns the URL to which a request is sent. Besides token requests, which have a `grant_type`, our only authenticated
 * requests are revocations (RFC 7009 §2.1).
 */
function targetOf(server: ServerMetadata, client: ClientMetadata, body: URLSearchParams): string {
  const endpoint = body.has('grant_type') ? 'token_endpoint' : 'revocation_endpoint';
  const alias = client.use_mtls_endpoint_aliases ? server.mtls_endpoint_aliases?.[endpoint] : undefined;
  const target = alias ?? server[endpoint];
  if (target === undefined) throw new Error(`the metadata has no ${endpoint}`);
  return target;
}

/** RFC 7515 §4.1.7 and §4.1.8: some servers identify a key only by its certificate. */
function certificateThumbprints(jwk: Readonly<Record<string, unknown>>): Record<string, string> {
  const found = ['x5t', 'x5t#S256'].flatMap((name) => {
    const value = jwk[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return found.length > 0 ? { typ: 'JWT', ...Object.fromEntries(found) } : {};
}
