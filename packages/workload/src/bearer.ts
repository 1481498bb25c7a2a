import { TokenRefused } from '@legate/jwt';
import { type Challenge, formatBearerChallenge, readBearer } from '@legate/oauth';
import { Problem } from '@legate/service';
import { problem } from './problems.ts';

type Unauthorized = 'token_missing' | 'token_invalid' | 'token_expired';

/** The header does not contain exactly one bearer token. */
class NoToken extends Error {}

/** Returns the bearer token of a request. @throws {Problem} 401 `token_missing` or `token_invalid`, with its challenge */
export function requireBearer(authorization: string | undefined): string {
  const credentials = readBearer(authorization);
  if (credentials.kind === 'token') return credentials.token;
  // RFC 6750 §3.1: the response to a request without credentials has no error code.
  if (credentials.kind === 'absent') throw unauthorized('token_missing', 'Send a bearer token.', {});
  throw invalidToken('token_invalid', 'The token is malformed.', new NoToken());
}

/**
 * Turns a refused token into 401 `token_invalid` or `token_expired`; any other error is rethrown unchanged.
 * @param detail of `token_invalid`
 */
export function tokenProblem(err: unknown, detail?: string): unknown {
  if (!(err instanceof TokenRefused)) return err;
  return err.reason === 'expired'
    ? invalidToken('token_expired', 'The token has expired.', err)
    : invalidToken('token_invalid', detail ?? invalidBecause(err), err);
}

/** Names the invalid claim, if the token's signature is valid; claims of other tokens could be anything. */
const invalidBecause = ({ reason, detail }: TokenRefused): string =>
  reason === 'claims' && detail
    ? `The token is not valid for this API: its issuer has left out, or written in a form that cannot be used: ${detail.split(' ').join(', ')}.`
    : 'The token is not valid for this API.';

const EXPIRED: readonly string[] = ['token_expired', 'transaction_token_expired'];

/**
 * Returns true for a token that had to be checked and was never valid here, which counts against the address of its
 * sender. Cases that happen to honest clients, or cost nothing, are not counted: a request without a token, which any
 * web page can make a browser send; an expired token, for example from a page that was left open; a valid token without
 * the permission.
 */
export function isGuess(err: unknown): boolean {
  if (!(err instanceof Problem) || err.status !== 401) return false;
  return err.code !== 'token_missing' && !EXPIRED.includes(err.code) && !(err.cause instanceof NoToken);
}

const invalidToken = (code: Unauthorized, detail: string, cause?: unknown): Problem =>
  unauthorized(code, detail, { error: 'invalid_token', errorDescription: detail }, cause);

const unauthorized = (code: Unauthorized, detail: string, challenge: Challenge, cause?: unknown): Problem =>
  problem(code, { detail, headers: { 'WWW-Authenticate': formatBearerChallenge(challenge) }, cause });
