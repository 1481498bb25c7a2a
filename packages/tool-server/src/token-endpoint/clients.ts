import { clientAssertion, createTokenVerifier } from '@legate/jwt';
import type { RegisteredClient } from '@legate/oauth';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { Endpoints } from '../metadata/endpoints.ts';

/** A client that may redeem ID-JAGs here. Always confidential: it has a secret, keys, or both. */
export interface ToolServerClient {
  readonly clientId: string;
  /** `hashClientSecret` of each active secret; two while a secret is being rotated. */
  readonly secretHashes?: readonly Buffer[];
  /** Its public keys, for `private_key_jwt`. */
  readonly jwks?: JSONWebKeySet;
}

/**
 * The `aud` that a `client_assertion` must have: the authorization server's issuer (RFC 7523bis), or also, for older
 * clients, the URL of the token endpoint.
 */
export type ClientAssertionAudience = 'issuer' | 'issuer_or_token_endpoint';

/**
 * @returns the clients by their identifier
 * @throws {Error} when two clients have the same identifier, one has no way to authenticate, or a JWKS is unusable
 */
export function registerClients(
  clients: readonly ToolServerClient[],
  options: { endpoints: Endpoints; assertionAudience: ClientAssertionAudience; clock: () => Date },
): ReadonlyMap<string, RegisteredClient> {
  const { endpoints, assertionAudience, clock } = options;
  const audience = [endpoints.resource];
  if (assertionAudience === 'issuer_or_token_endpoint') audience.push(endpoints.token);

  const registered = new Map<string, RegisteredClient>();
  for (const { clientId, secretHashes = [], jwks } of clients) {
    if (registered.has(clientId)) throw new Error(`client ${clientId} is registered twice`);
    if (secretHashes.length === 0 && !jwks) throw new Error(`client ${clientId} cannot authenticate`);
    registered.set(clientId, {
      clientId,
      secretHashes,
      isPublic: false,
      ...(jwks && {
        verifyAssertion: createTokenVerifier(clientAssertion, {
          issuers: [{ issuer: clientId, keys: createLocalJWKSet(jwks) }],
          audience,
          clock,
        }),
      }),
    });
  }
  return registered;
}
