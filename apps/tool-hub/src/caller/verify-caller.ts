import {
  cacheVerified,
  createTokenVerifier,
  type IdTokenClaims,
  idToken,
  KeysUnavailable,
  TokenRefused,
  type TrustedIssuer,
} from '@legate/jwt';
import { formatBearerChallenge, readBearer } from '@legate/oauth';
import { Problem } from '@legate/service';
import type { Caller } from './caller.ts';

/** @throws {Problem} 401, 403 or 503 */
export type VerifyCaller = (authorization: string | undefined) => Promise<Caller>;

/**
 * Finds out who calls, from the user's ID token in the Authorization header. Does not check whether the user is still
 * active at the identity provider: that is judged there, whenever a token is exchanged.
 * @param options.audiences clients whose ID tokens are taken; every audience of a token must be among them, since a token
 * that a stranger may also use says nothing about who sent it (OpenID Connect Core §3.1.3.7)
 */
export function createCallerVerifier(options: {
  issuer: TrustedIssuer;
  audiences: readonly string[];
  clock: () => Date;
}): VerifyCaller {
  const verify = cacheVerified(
    createTokenVerifier(idToken, {
      issuers: [options.issuer],
      audience: options.audiences,
      clock: options.clock,
    }),
    { clock: options.clock },
  );
  const trusted = new Set(options.audiences);

  return async (authorization) => {
    const bearer = readBearer(authorization);
    if (bearer.kind === 'absent') throw tokenMissing();
    if (bearer.kind === 'malformed') throw unauthorized('token_invalid', 'The bearer token is malformed.');
    const { claims } = await verify(bearer.token).catch((err: unknown) => {
      throw toProblem(err);
    });
    if (!isMeantForUs(claims, trusted))
      throw unauthorized('token_invalid', 'The ID token was issued to another client.');
    return callerOf(claims, bearer.token);
  };
}

function isMeantForUs(claims: IdTokenClaims, trusted: ReadonlySet<string>): boolean {
  return (
    audiencesOf(claims).every((audience) => trusted.has(audience)) &&
    (claims.azp === undefined || trusted.has(claims.azp))
  );
}

const audiencesOf = ({ aud }: IdTokenClaims): readonly string[] => (typeof aud === 'string' ? [aud] : aud);

function callerOf(claims: IdTokenClaims, subjectToken: string): Caller {
  if (claims.organization_id === undefined) {
    throw new Problem(403, 'organization_id_required', 'Organization required', {
      detail: 'The ID token names no organization. Sign in for an organization.',
    });
  }
  // The colon separates the parts of a cache key (product spec §5): with one in an id, two users could share a key.
  if (claims.sub.includes(':')) {
    throw new Problem(403, 'user_id_unsupported', 'User identifier not supported', {
      detail: 'A user identifier (sub) must not contain a colon.',
    });
  }
  const audiences = audiencesOf(claims);
  return { userId: claims.sub, organizationId: claims.organization_id, subjectToken, audiences };
}

function toProblem(err: unknown): unknown {
  if (err instanceof KeysUnavailable) {
    return new Problem(503, 'idp_unavailable', 'Identity provider unavailable', {
      detail: 'The signing keys of the identity provider cannot be had at the moment. Try again.',
      headers: { 'Retry-After': '5' },
      cause: err,
    });
  }
  if (!(err instanceof TokenRefused)) return err;
  return err.reason === 'expired'
    ? unauthorized('token_expired', 'The ID token has expired. Sign in again.', err)
    : unauthorized('token_invalid', 'The bearer token is not an ID token that is valid here.', err);
}

const tokenMissing = (): Problem =>
  new Problem(401, 'token_missing', 'Authentication required', {
    detail: "Send the user's ID token as bearer token.",
    headers: { 'WWW-Authenticate': formatBearerChallenge({ realm: 'tool-hub' }) },
  });

const unauthorized = (code: 'token_invalid' | 'token_expired', detail: string, cause?: unknown): Problem =>
  new Problem(401, code, 'Authentication failed', {
    detail,
    headers: {
      'WWW-Authenticate': formatBearerChallenge({
        realm: 'tool-hub',
        error: 'invalid_token',
        errorDescription: detail,
      }),
    },
    cause,
  });
