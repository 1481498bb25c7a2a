import { RETRY_AFTER_SECONDS, StoreUnavailable } from '@legate/authorization-server';
import type { ErrorRequestHandler } from 'express';
import { problem } from './problem-codes.ts';

/** Turns an outage of the store into a 503, on routes that respond with problem details. */
export const storeProblem: ErrorRequestHandler = (err: unknown, _req, _res, next) =>
  next(
    err instanceof StoreUnavailable
      ? problem('service_unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS }, cause: err })
      : err,
  );
