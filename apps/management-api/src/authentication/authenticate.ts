import {
  type CachedVerifyToken,
  type IdpAccessTokenClaims,
  TokenRefused,
  type VerifyToken,
} from '@legate/jwt';
import { type Challenge, formatBearerChallenge, readBearer } from '@legate/oauth';
import type { FailureLimiter } from '@legate/rate-limit';
import { Problem } from '@legate/service';
import type { RequestHandler } from 'express';
import type { Caller } from '../domain/caller.ts';
import { problem } from '../domain/problem-codes.ts';
import { storable } from '../domain/storable-text.ts';
import { setCaller } from './caller-of-request.ts';
import { credentialOf } from './credential-of-token.ts';

/**
 * Bearer authentication with an access token of the identity provider (product specification, section 5). An ID token
 * or an ID-JAG is refused by its `typ`. Does not check whether the user is still active.
 * @throws {Problem} 401 `token_missing`, `token_invalid` or `token_expired`, each with its challenge
 * @throws {KeysUnavailable} the issuer's keys are unavailable, so nothing is known about the token
 */
export function authenticate(deps: {
  verifyToken: VerifyToken<IdpAccessTokenClaims>;
  failures: FailureLimiter;
}): RequestHandler {
  return async (req, res, next) => {
    try {
      setCaller(res, await identify(req.headers.authorization, deps.verifyToken));
    } catch (err) {
      if (isGuess(err)) await deps.failures.recordFailure(req.ip);
      throw err;
    }
    next();
  };
}

/**
 * Returns true for a refused token. A request without one does not count against its address: any web page can make a
 * browser send such requests, and block everybody behind that address.
 */
export const isGuess = (err: unknown): boolean =>
  err instanceof Problem && err.status < 500 && err.code !== 'token_missing';

/** Returns true for a request whose bearer token was verified before, at the cost of one hash. */
export function hasKnownToken(
  authorization: string | undefined,
  verifyToken: CachedVerifyToken<IdpAccessTokenClaims>,
): boolean {
  const credentials = readBearer(authorization);
  return credentials.kind === 'token' && verifyToken.isKnown(credentials.token);
}

async function identify(
  authorization: string | undefined,
  verifyToken: VerifyToken<IdpAccessTokenClaims>,
): Promise<Caller> {
  const credentials = readBearer(authorization);
  // RFC 6750 §3.1: the response to a request without credentials has no error code.
  if (credentials.kind === 'absent') throw unauthorized('token_missing', 'Send a bearer token.', {});
  if (credentials.kind === 'malformed') throw invalidToken('token_invalid', 'The token is malformed.');
  try {
    const { claims } = await verifyToken(credentials.token);
    if (storable(claims.sub) !== claims.sub) throw new TokenRefused('claims', { detail: 'sub' });
    return {
      issuer: claims.iss,
      subject: claims.sub,
      organizationId: claims.organization_id,
      email: claims.email,
      name: claims.name,
      roles: claims.roles,
      scope: claims.scope,
      emailVerified: typeof claims.email_verified === 'boolean' ? claims.email_verified : undefined,
      issuedAt: claims.iat,
      credential: credentialOf(credentials.token, claims),
    };
  } catch (err) {
    if (!(err instanceof TokenRefused)) throw err;
    throw err.reason === 'expired'
      ? invalidToken('token_expired', 'The token has expired.', err)
      : invalidToken('token_invalid', 'The token is not valid for this API.', err);
  }
}

type Unauthorized = 'token_missing' | 'token_invalid' | 'token_expired';

const invalidToken = (code: Unauthorized, detail: string, cause?: unknown): Problem =>
  unauthorized(code, detail, { error: 'invalid_token', errorDescription: detail }, cause);

function unauthorized(code: Unauthorized, detail: string, challenge: Challenge, cause?: unknown): Problem {
  return problem(code, {
    detail,
    headers: { 'WWW-Authenticate': formatBearerChallenge(challenge) },
    cause,
  });
}
