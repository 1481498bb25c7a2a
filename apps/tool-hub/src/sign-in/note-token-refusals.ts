import { hash } from 'node:crypto';
import { readBearer } from '@legate/oauth';
import { clientNetwork } from '@legate/rate-limit';
import { Counter, type Logger, type Registry } from '@legate/service';
import type { ErrorRequestHandler } from 'express';
import { createLatest } from '../domain/latest.ts';
import { type TokenRefusalReason, tokenRefusalReason } from '../refusals/token-refusals.ts';

/** Anybody can send bad tokens, and must not fill the log with them. */
const SILENT_MS = 10_000;
/** Addresses and reasons that are remembered */
const MAX_REMEMBERED = 10_000;

/**
 * Counts and logs refused bearer tokens, and passes each error on. The log has a digest of the token, by which an
 * operator recognizes one that a user shows them.
 */
export function createNoteTokenRefusals(deps: {
  clock: () => Date;
  log: Logger;
  metrics: Registry;
}): ErrorRequestHandler {
  const { clock, log, metrics } = deps;
  const refusals = new Counter({
    name: 'token_refusals_total',
    help: 'Requests whose bearer token was refused, by reason',
    labelNames: ['reason'],
    registers: [metrics],
  });
  const loggedAt = createLatest<number>(MAX_REMEMBERED);

  function isDue(address: string | undefined, reason: TokenRefusalReason): boolean {
    const key = `${reason} ${clientNetwork(address)}`;
    const now = clock().getTime();
    const last = loggedAt.get(key);
    if (last !== undefined && now - last < SILENT_MS) return false;
    loggedAt.set(key, now);
    return true;
  }

  return (err, req, res, next) => {
    const reason = tokenRefusalReason(err);
    if (reason !== undefined) {
      refusals.inc({ reason });
      if (isDue(req.ip, reason)) {
        const bearer = readBearer(req.headers.authorization);
        const fields = {
          reason,
          // Of the whole token, because its writer chooses the `jti`.
          token_hash: bearer.kind === 'token' ? hash('sha256', bearer.token, 'base64url') : undefined,
          why: err.cause instanceof Error ? err.cause.message : undefined,
          request_id: res.get('X-Request-Id'),
        };
        log.info(fields, 'bearer token refused');
      }
    }
    next(err);
  };
}
