import { hash } from 'node:crypto';
import { readBearer } from '@legate/oauth';
import { clientNetwork } from '@legate/rate-limit';
import { Counter, type Logger, type Registry } from '@legate/service';
import type { ErrorRequestHandler } from 'express';
import { createLatest } from '../domain/latest.ts';
import { type TokenRefusalReason, tokenRefusalReason } from '../refusals/token-refusals.ts';

/** Seconds between two log entries: anybody can send invalid tokens, and must not fill the log with them */
const SILENT_MS = 10_000;
/** Maximum number of addresses and reasons that are remembered */
const MAX_REMEMBERED = 10_000;

/**
 * Counts and logs refused bearer tokens, and passes each error on. The log contains a digest of the token, so that an
 * operator can recognize a token that a user shows them.
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
          // Digest of the whole token, because its sender chooses the `jti`.
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
