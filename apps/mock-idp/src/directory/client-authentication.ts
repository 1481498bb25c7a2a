import {
  type ClientAssertionClaims,
  clientAssertion,
  createLocalKeys,
  createTokenVerifier,
  readJwt,
  TokenRefused,
  type VerifyToken,
} from '@legate/jwt';
import {
  claimedCredentials,
  createClientAuthenticator,
  type FormParameters,
  OAuthError,
  type RegisteredClient,
} from '@legate/oauth';
import type { Backend } from '@legate/secure-store';
import { createUseOnce } from '@legate/secure-store';
import type { AssertionRules, CredentialFault, Personality } from '../personalities/personality.ts';
import { RefusedAsRecorded } from '../personalities/refused-as-recorded.ts';
import type { Directory } from './directory.ts';
import type { Client } from './model.ts';

export interface EndpointClient extends RegisteredClient {
  readonly entry: Client;
}

/** Seconds to remember an assertion: it is accepted for at most 300 s, plus the clock skew before and after. */
const ASSERTION_MEMORY_SECONDS = 420;

/**
 * Authenticates the client of a token or revocation request against the directory. The returned function throws an
 * `OAuthError`.
 */
export function createEndpointAuthenticator(deps: {
  directory: Directory;
  audiences: Readonly<Record<AssertionRules['audiences'][number], string>>;
  assertions: AssertionRules & { readonly algorithms: readonly string[] };
  errors: Personality['errors'];
  backend: Backend;
  clock: () => Date;
}) {
  const { directory, assertions, clock } = deps;
  const audience = assertions.audiences.map((name) => deps.audiences[name]);
  const useOnce = createUseOnce(deps.backend, 'client-assertion:');
  const authenticate = createClientAuthenticator<EndpointClient>({
    async findClient(clientId) {
      const entry = await directory.clients.find(clientId);
      if (!entry) return undefined;
      const registered = entry.jwks?.keys ?? [];
      return {
        entry,
        clientId,
        isPublic: entry.isPublic,
        secretHashes: entry.secretHashes.map((hash) => Buffer.from(hash, 'base64url')),
        ...(audience.length > 0 && {
          verifyAssertion: withHeaderRules(assertions, registered, (keys) =>
            createTokenVerifier(clientAssertion, {
              issuers: [{ issuer: clientId, keys: createLocalKeys({ keys }) }],
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

  return (authorization: string | undefined, form: FormParameters) =>
    authenticate(authorization, form).catch(async (err: unknown) => {
      const { client, secret } = claimedCredentials(authorization, form);
      const hasSecret =
        secret !== undefined && client !== undefined && (await directory.clients.find(client)) !== undefined;
      const fault = faultOf(err, hasSecret);
      const answer = fault && deps.errors[fault];
      throw answer && err instanceof OAuthError ? new RefusedAsRecorded(answer, err) : err;
    });
}

/** @param hasSecret true if a client of the directory presented a secret */
function faultOf(err: unknown, hasSecret: boolean): CredentialFault | undefined {
  if (!(err instanceof OAuthError) || err.code !== 'invalid_client') return undefined;
  if (hasSecret) return 'wrong_secret';
  if (!(err.cause instanceof TokenRefused)) return undefined;
  const { reason } = err.cause;
  if (reason === 'audience') return 'wrong_audience';
  return reason === 'key' || reason === 'signature' ? 'unknown_key' : undefined;
}

type Keys = NonNullable<Client['jwks']>['keys'];

/**
 * Adds the checks of what the provider requires of the header.
 * @param verifyBy creates a verifier by some of the registered keys
 */
function withHeaderRules(
  { algorithms, keyHeader }: AssertionRules & { readonly algorithms: readonly string[] },
  registered: Keys,
  verifyBy: (keys: Keys) => VerifyToken<ClientAssertionClaims>,
): VerifyToken<ClientAssertionClaims> {
  return async (assertion) => {
    const { header } = readJwt(assertion);
    const named = keyHeader && header[keyHeader];
    const keys = keyHeader
      ? registered.filter(({ [keyHeader]: name }) => name && name === named)
      : registered;
    const verified = await verifyBy(keys)(assertion);
    const alg = header.alg === 'EdDSA' ? 'Ed25519' : header.alg; // the older name (RFC 9864)
    if (!algorithms.includes(String(alg))) throw new TokenRefused('algorithm');
    return verified;
  };
}
