import {
  type ClientAssertionClaims,
  clientAssertion,
  createLocalKeys,
  createTokenVerifier,
  TokenRefused,
  type VerifyToken,
} from '@legate/jwt';
import { createClientAuthenticator, type RegisteredClient } from '@legate/oauth';
import type { Backend } from '@legate/secure-store';
import { createUseOnce } from '@legate/secure-store';
import { decodeProtectedHeader } from 'jose';
import type { AssertionRules } from '../personalities/personality.ts';
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
  audiences: Readonly<Record<AssertionRules['audiences'][number], string>>;
  assertions: AssertionRules & { readonly algorithms: readonly string[] };
  backend: Backend;
  clock: () => Date;
}) {
  const { assertions, clock } = deps;
  const audience = assertions.audiences.map((name) => deps.audiences[name]);
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
        ...(entry.jwks &&
          audience.length > 0 && {
            verifyAssertion: withHeaderRules(
              assertions,
              createTokenVerifier(clientAssertion, {
                issuers: [{ issuer: clientId, keys: createLocalKeys(entry.jwks) }],
                audience,
                clock,
              }),
            ),
          }),
      };
    },
    useAssertionOnce: (clientId, jti) => useOnce([clientId, jti], ASSERTION_MEMORY_SECONDS),
    allowPublic: true,
  });
}

/** Adds the checks of what the provider requires of the header. */
function withHeaderRules(
  rules: { readonly algorithms: readonly string[]; readonly requiredHeader: readonly string[] },
  verify: VerifyToken<ClientAssertionClaims>,
): VerifyToken<ClientAssertionClaims> {
  return async (assertion) => {
    const verified = await verify(assertion);
    const header: Readonly<Record<string, unknown>> = { ...decodeProtectedHeader(assertion) };
    const alg = header.alg === 'EdDSA' ? 'Ed25519' : header.alg; // the older name (RFC 9864)
    if (!rules.algorithms.includes(String(alg))) throw new TokenRefused('algorithm');
    const missing = rules.requiredHeader.find((name) => header[name] === undefined);
    if (missing !== undefined) throw new TokenRefused('malformed', { detail: missing });
    return verified;
  };
}
