import { clientAssertion, createLocalKeys, createTokenVerifier } from '@legate/jwt';
import { createClientAuthenticator, type RegisteredClient } from '@legate/oauth';
import type { Backend } from '@legate/secure-store';
import { createUseOnce } from '@legate/secure-store';
import type { Directory } from './directory.ts';
import type { Client } from './model.ts';

export interface EndpointClient extends RegisteredClient {
  readonly entry: Client;
}

/** Seconds to remember an assertion: it is accepted for at most 300 s, plus the clock skew before and after. */
const ASSERTION_MEMORY_SECONDS = 420;

/** Authenticates the client of a token or revocation request against the directory. */
export function createEndpointAuthenticator(deps: {
  directory: Directory;
  issuer: string;
  tokenEndpoint: string;
  backend: Backend;
  clock: () => Date;
}) {
  const { issuer, tokenEndpoint, clock } = deps;
  const useOnce = createUseOnce(deps.backend, 'client-assertion:');
  return createClientAuthenticator<EndpointClient>({
    async findClient(clientId) {
      const entry = await deps.directory.clients.find(clientId);
      if (!entry) return undefined;
      return {
        entry,
        clientId,
        isPublic: entry.isPublic,
        secretHashes: entry.secretHashes.map((hash) => Buffer.from(hash, 'base64url')),
        ...(entry.jwks && {
          verifyAssertion: createTokenVerifier(clientAssertion, {
            issuers: [{ issuer: clientId, keys: createLocalKeys(entry.jwks) }],
            // RFC 7523bis requires the issuer as audience; older clients send the token endpoint.
            audience: [issuer, tokenEndpoint],
            clock,
          }),
        }),
      };
    },
    useAssertionOnce: (clientId, jti) => useOnce([clientId, jti], ASSERTION_MEMORY_SECONDS),
    allowPublic: true,
  });
}
