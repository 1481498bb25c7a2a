import { type AccessTokenClaims, TokenRefused, type VerifyToken } from '@legate/jwt';
import { type Challenge, formatScope, readBearer } from '@legate/oauth';
import type { Endpoints } from '../metadata/endpoints.ts';
import { authInfoOf, type ToolServerAuthInfo } from './auth-info.ts';

export type AccessTokenOutcome =
  | { readonly kind: 'accepted'; readonly auth: ToolServerAuthInfo }
  | {
      readonly kind: 'challenged';
      readonly status: 400 | 401 | 403;
      readonly challenge: Challenge;
      /** The reason for the log; contains no token. */
      readonly reason: string;
    };

/** A fixed text that contains nothing of the request. */
export const DESCRIPTION = {
  invalid_request: 'The Authorization header is malformed.',
  invalid_token: 'The access token is missing a claim, expired, or was not issued for this resource.',
  insufficient_scope: 'The access token lacks a scope that this request needs.',
} as const;

/**
 * Checks the `Authorization` header of a request to the resource. A token in the query or body does not count (RFC 6750
 * §5.3).
 * @see RFC 6750 §3, RFC 9728 §5.1
 */
export function createAccessTokenCheck(deps: {
  verify: VerifyToken<AccessTokenClaims>;
  endpoints: Endpoints;
  registeredScopes: readonly string[];
}) {
  const { verify, endpoints, registeredScopes } = deps;
  const challenged = (
    status: 400 | 401 | 403,
    error: keyof typeof DESCRIPTION | undefined,
    scopes: readonly string[],
    reason: string,
  ): AccessTokenOutcome => ({
    kind: 'challenged',
    status,
    reason,
    challenge: {
      ...(error && { error, errorDescription: DESCRIPTION[error] }),
      ...(scopes.length > 0 && { scope: formatScope(scopes) }),
      resourceMetadata: endpoints.resourceMetadata,
    },
  });

  return async (
    authorization: string | undefined,
    required: readonly string[],
  ): Promise<AccessTokenOutcome> => {
    // The scopes that a client should request; all registered ones if the request needs none in particular (MCP
    // authorization).
    const wanted = required.length > 0 ? required : registeredScopes;
    const credentials = readBearer(authorization);
    switch (credentials.kind) {
      case 'absent':
        return challenged(401, undefined, wanted, 'no credentials');
      case 'malformed':
        return challenged(400, 'invalid_request', [], 'malformed credentials');
      case 'token': {
        const { token } = credentials;
        const verified = await verify(token).catch((err: unknown) => {
          if (err instanceof TokenRefused) return err;
          throw err;
        });
        if (verified instanceof TokenRefused)
          return challenged(401, 'invalid_token', wanted, verified.message);
        const auth = authInfoOf(token, verified.claims, verified.acceptedUntil, endpoints);
        if (!required.every((scope) => auth.scopes.includes(scope)))
          return challenged(403, 'insufficient_scope', required, 'scope');
        return { kind: 'accepted', auth };
      }
    }
  };
}
