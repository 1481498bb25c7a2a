import { KeysUnavailable } from '@legate/jwt';
import { ConnectionShareExceeded, DatabaseUnavailable } from '@legate/postgres';
import { RateLimitExceeded } from '@legate/rate-limit';
import { Problem } from '@legate/service';
import type { ErrorRequestHandler } from 'express';

const RETRY_AFTER = { 'Retry-After': '5' };

/** Gives the errors of packages, which know no HTTP, their answer. An outage is never a refusal of the caller. */
export const packageErrors: ErrorRequestHandler = (err: unknown, _req, _res, next) => next(toProblem(err));

function toProblem(err: unknown): unknown {
  if (err instanceof DatabaseUnavailable) {
    const isShare = err instanceof ConnectionShareExceeded;
    return new Problem(503, 'service_unavailable', 'Service unavailable', {
      ...(isShare && { detail: 'Other requests of your organization take too long.' }),
      headers: RETRY_AFTER,
      cause: err,
    });
  }
  if (err instanceof KeysUnavailable) {
    return new Problem(503, 'idp_unavailable', 'Identity provider unavailable', {
      detail: 'The token could not be checked. It may well be good.',
      headers: RETRY_AFTER,
      cause: err,
    });
  }
  if (err instanceof RateLimitExceeded) {
    return new Problem(429, 'rate_limit_exceeded', 'Rate limit exceeded', {
      detail: `Try again in ${err.retryAfterSeconds} s.`,
      headers: { 'Retry-After': String(err.retryAfterSeconds) },
      extensions: { retry_after: err.retryAfterSeconds },
    });
  }
  return err;
}
