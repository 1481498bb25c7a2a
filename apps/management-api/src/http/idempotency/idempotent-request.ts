import { createHash } from 'node:crypto';
import { type Problem, validationFailed } from '@legate/service';
import type { Request } from 'express';
import type { Author } from '../../domain/author.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { IdempotentRequest } from './store.ts';

/** The draft requires a quoted string (RFC 8941 §3.3.3); many clients send it unquoted. */
const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/;

/** Returns undefined if no key was sent. @throws {Problem} 400 */
export function readKey(req: Request): string | undefined {
  const header = req.get('Idempotency-Key');
  if (header === undefined) return undefined;
  const match = KEY.exec(header);
  const key = match?.[1] ?? match?.[2];
  if (key !== undefined) return key;
  const detail = 'Must be 1 to 255 printable ASCII characters, such as a UUID.';
  throw validationFailed([{ header: 'Idempotency-Key', code: 'invalid_format', detail }]);
}

/** @param sent the input that a retry must repeat */
export function toIdempotentRequest(
  req: Request,
  sent: unknown,
  { organizationId, userId }: Author,
  key: string,
): IdempotentRequest {
  // The paths with and without a version are equivalent: a retry may use the other one.
  const path = `${req.baseUrl}${req.path}`.replace(/^\/api\/v1(?=\/)/i, '/api').replace(/\/$/, '');
  const request = [req.method, path, sent];
  return {
    organizationId,
    userId,
    key,
    hash: createHash('sha256').update(canonicalJson(request)).digest(),
  };
}

export const inProgress = (): Problem =>
  problem('idempotency_in_progress', {
    detail: 'A request with this Idempotency-Key is still being processed.',
    headers: { 'Retry-After': '1' },
  });

export const keyReused = (): Problem =>
  problem('idempotency_key_reused', {
    detail: 'This Idempotency-Key was used for another request in the last 24 hours.',
  });
