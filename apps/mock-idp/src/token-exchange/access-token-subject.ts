import type { OidcProvider } from '@legate/authorization-server';
import type { ProviderKind } from '@legate/identity-providers';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import { parseScope } from '@legate/oauth';
import { jwtVerify } from 'jose';
import { ownKeys } from './subject-token.ts';

/** A user's access token that a client wants to exchange */
export interface AccessTokenSubject {
  readonly userId: string;
  /** The client to which it was issued */
  readonly clientId: string;
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
  /** True if the sign-in answered a demand for claims (OpenID Connect Core §5.5) */
  readonly hasDemandedClaims: boolean;
  /** The chain of actors so far (RFC 8693 §4.1) */
  readonly act: unknown;
}

/** @returns undefined if it is no valid access token of a user, issued here */
export type ReadAccessToken = (token: string) => Promise<AccessTokenSubject | undefined>;

/** Reads access tokens of a sign-in, which are opaque without an API, and those for an API, which are JWTs. */
export function createAccessTokenReader(deps: {
  provider: () => OidcProvider;
  issuer: string;
  keys: SigningKeys;
  kind: ProviderKind;
  clock: () => Date;
}): ReadAccessToken {
  const { issuer, keys, kind, clock } = deps;
  return async (token) => {
    const opaque = await deps.provider().AccessToken.find(token);
    if (opaque) {
      const { accountId, clientId, scope, claims } = opaque;
      if (clientId === undefined) return undefined;
      return {
        userId: accountId,
        clientId,
        audiences: [],
        scopes: parseScope(scope),
        hasDemandedClaims: claims !== undefined && 'access_token' in claims,
        act: undefined,
      };
    }
    const now = epochSeconds(clock());
    const verified = await jwtVerify(token, ownKeys(keys), {
      issuer,
      currentDate: new Date(now * 1000),
    }).catch(() => undefined);
    if (!verified) return undefined;
    const { payload } = verified;
    const userId = payload[kind.accessTokenUserClaim];
    const clientId = payload.client_id ?? payload.azp ?? payload.cid;
    const scope = payload.scope ?? payload.scp;
    // An ID token has no scope.
    if (typeof userId !== 'string' || typeof clientId !== 'string' || scope === undefined) return undefined;
    return {
      userId,
      clientId,
      audiences: [payload.aud ?? []].flat(),
      scopes: parseScope([scope].flat().join(' ')),
      hasDemandedClaims: false,
      act: payload.act,
    };
  };
}
