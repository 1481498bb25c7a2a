import { TokenRefused } from '@legate/jwt';
import { type Challenge, formatBearerChallenge, readBearer } from '@legate/oauth';
import { Problem } from '@legate/service';
import { problem } from './problems.ts';

type Unauthorized = 'token_missing' | 'token_invalid' | 'token_expired';

/** Returns the bearer token of a request. @throws {Problem} 401 `token_missing` or `token_invalid`, with its challenge */
export function requireBearer(authorization: string | undefined): string {
  const credentials = readBearer(authorization);
  if (credentials.kind === 'token') return credentials.token;
  // RFC 6750 §3.1: the response to a request without credentials has no error code.
  if (credentials.kind === 'absent') throw unauthorized('token_missing', 'Send a bearer token.', {});
  throw invalidToken('token_invalid', 'The token is malformed.');
}

/** Turns a refused token into 401 `token_invalid` or `token_expired`; any other error stays itself. */
export function tokenProblem(err: unknown): unknown {
  if (!(err instanceof TokenRefused)) return err;
  return err.reason === 'expired'
    ? invalidToken('token_expired', 'The token has expired.', err)
    : invalidToken('token_invalid', 'The token is not valid for this API.', err);
}

/**
 * Returns true for a refused token. A request without one does not count against its address: any web page can make a
 * browser send such requests, and block everybody behind that address.
 */
export const isGuess = (err: unknown): boolean =>
  err instanceof Problem && err.status < 500 && err.code !== 'token_missing';

const invalidToken = (code: Unauthorized, detail: string, cause?: unknown): Problem =>
  unauthorized(code, detail, { error: 'invalid_token', errorDescription: detail }, cause);

const unauthorized = (code: Unauthorized, detail: string, challenge: Challenge, cause?: unknown): Problem =>
  problem(code, { detail, headers: { 'WWW-Authenticate': formatBearerChallenge(challenge) }, cause });
