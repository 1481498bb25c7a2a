import { clientAssertion, createLocalKeys, createTokenVerifier } from '@legate/jwt';
import { hashClientSecret, type RegisteredClient } from '@legate/oauth';
import type { JSONWebKeySet } from 'jose';
import type { Endpoints } from '../metadata/endpoints.ts';

/** A client that may redeem ID-JAGs here. Always confidential: it has a secret, keys, or both. */
export interface ToolServerClient {
  readonly clientId: string;
  /** The client's secret; two during a rotation. In production each must have at least 32 characters. */
  readonly secret?: string | readonly string[] | undefined;
  /** SHA-256 of each active secret, as 32 bytes or in hexadecimal, in place of the secrets. */
  readonly secretHashes?: readonly (string | Uint8Array)[] | undefined;
  /** The client's public keys, for `private_key_jwt`. */
  readonly jwks?: JSONWebKeySet | undefined;
}

/**
 * The `aud` that a `client_assertion` must have: the authorization server's issuer (RFC 7523bis), or also, for older
 * clients, the URL of the token endpoint.
 */
export type ClientAssertionAudience = 'issuer' | 'issuer_or_token_endpoint';

/** The old one and the new one, while a secret is being rotated. */
const MAX_SECRETS = 2;
/** Minimum length: a shorter secret could be guessed from its unsalted hash. */
const MIN_SECRET_LENGTH_IN_PRODUCTION = 32;

/**
 * @returns the clients by their identifier
 * @throws {Error} when two clients have the same identifier, one cannot authenticate, or a secret or JWKS is unusable; the
 * message contains no secret
 */
export function registerClients(
  clients: readonly ToolServerClient[],
  options: {
    endpoints: Endpoints;
    assertionAudience: ClientAssertionAudience;
    isProduction: boolean;
    clock: () => Date;
  },
): ReadonlyMap<string, RegisteredClient> {
  const { endpoints, assertionAudience, clock } = options;
  const audience = [endpoints.resource];
  if (assertionAudience === 'issuer_or_token_endpoint') audience.push(endpoints.token);

  const registered = new Map<string, RegisteredClient>();
  for (const client of clients) {
    const { clientId, jwks } = client;
    if (registered.has(clientId)) throw new Error(`client ${clientId} is registered twice`);
    const secretHashes = hashesOf(client, options.isProduction);
    if (secretHashes.length === 0 && !jwks) throw new Error(`client ${clientId} cannot authenticate`);
    registered.set(clientId, {
      clientId,
      secretHashes,
      isPublic: false,
      ...(jwks && {
        verifyAssertion: createTokenVerifier(clientAssertion, {
          issuers: [{ issuer: clientId, keys: createLocalKeys(jwks) }],
          audience,
          clock,
        }),
      }),
    });
  }
  return registered;
}

function hashesOf(client: ToolServerClient, isProduction: boolean) {
  const { clientId, secretHashes = [] } = client;
  // An environment variable that is not set must not make a client without a secret.
  const secrets = 'secret' in client ? [client.secret].flat() : [];
  const hashes = [...secrets.map(hashOf), ...secretHashes.map(bytesOf)];
  if (hashes.length > MAX_SECRETS)
    throw new Error(`client ${clientId} has more than ${MAX_SECRETS} active secrets`);
  return hashes;

  function hashOf(secret: string | undefined) {
    if (typeof secret !== 'string' || secret === '')
      throw new Error(`the secret of client ${clientId} is not set`);
    if (isProduction && secret.length < MIN_SECRET_LENGTH_IN_PRODUCTION)
      throw new Error(
        `the secret of client ${clientId} has less than ${MIN_SECRET_LENGTH_IN_PRODUCTION} characters, which production needs`,
      );
    return hashClientSecret(secret);
  }

  function bytesOf(hash: string | Uint8Array) {
    const bytes = typeof hash === 'string' ? Buffer.from(hash, 'hex') : Buffer.from(hash);
    if (bytes.byteLength !== 32 || (typeof hash === 'string' && hash.length !== 64))
      throw new Error(`a secret hash of client ${clientId} is not a SHA-256`);
    return bytes;
  }
}
