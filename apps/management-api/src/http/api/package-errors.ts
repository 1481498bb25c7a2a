import { KeysUnavailable } from '@legate/jwt';
import { ConnectionShareExceeded, DatabaseUnavailable } from '@legate/postgres';
import { RateLimitExceeded } from '@legate/rate-limit';
import type { ErrorRequestHandler } from 'express';
import { problem } from '../../domain/problem-codes.ts';

const RETRY_AFTER = { 'Retry-After': '5' };

/** Maps errors of packages, which know nothing of HTTP, to responses. An outage is never reported as a refusal. */
export const packageErrors: ErrorRequestHandler = (err: unknown, _req, _res, next) => next(toProblem(err));

function toProblem(err: unknown): unknown {
  if (err instanceof DatabaseUnavailable) {
    const isShare = err instanceof ConnectionShareExceeded;
    return problem('service_unavailable', {
      ...(isShare && { detail: 'Other requests of your organization are taking too long.' }),
      headers: RETRY_AFTER,
      cause: err,
    });
  }
  if (err instanceof KeysUnavailable) {
    return problem('idp_unavailable', {
      detail: 'The token could not be checked, and may be valid. Try again.',
      headers: RETRY_AFTER,
      cause: err,
    });
  }
  if (err instanceof RateLimitExceeded) {
    const { retryAfterSeconds, scope } = err;
    const why = scope === 'user' ? "You have used up your share of the organization's requests. " : '';
    return problem('rate_limit_exceeded', {
      detail: `${why}Try again in ${retryAfterSeconds} s.`,
      headers: { 'Retry-After': String(retryAfterSeconds) },
      extensions: { retry_after: retryAfterSeconds, ...(scope && { scope }) },
    });
  }
  return err;
}
