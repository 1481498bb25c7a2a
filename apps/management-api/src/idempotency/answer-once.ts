import { createHash } from 'node:crypto';
import { Problem, pastProblem, validationFailed } from '@legate/service';
import type { Request } from 'express';
import { authorOf } from '../admission/author-of-request.ts';
import type { Answer } from '../api/answer.ts';
import type { AnswerOnce } from '../api/operation.ts';
import type { Change, MakeChange } from '../changes/change.ts';
import type { Author } from '../domain/author.ts';
import { problem } from '../domain/problem-codes.ts';
import { type IdempotentRequest, reserveKey, saveAnswer } from './store.ts';

/** As stored: the response, or the refusal without its request's data. */
type StoredAnswer =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'refusal'; status: number; refusal: Refusal };
type Refusal = Pick<Problem, 'code' | 'title' | 'detail' | 'errors' | 'headers' | 'extensions'>;

/**
 * The key is reserved in the transaction of the effect: both are saved, or neither. Refusals are stored too; 5xx and
 * 429 never are, nor are invalid bodies, which are refused before.
 * @see draft-ietf-httpapi-idempotency-key-header-07
 * @throws {Problem} 400 for an invalid key, 409 `idempotency_in_progress`, 422 `idempotency_key_reused`
 */
export function createAnswerOnce(deps: { makeChange: MakeChange; clock: () => Date }): AnswerOnce {
  return async (req, res, sent, work) => {
    const author = authorOf(req, res);
    const key = readKey(req);
    if (key === undefined) return deps.makeChange(author, work);

    const request = toIdempotentRequest(req, sent, author, key);
    const { outcome, replayed } = await deps.makeChange(author, async (change) => {
      const reservation = await reserveKey(change.connection, request, deps.clock());
      if (reservation.kind === 'in_progress') throw inProgress();
      if (reservation.kind === 'other_request') throw keyReused();
      if (reservation.kind === 'answered') {
        return { outcome: fromStored(reservation.answer as StoredAnswer), replayed: true };
      }
      const outcome = await attempt(change, work);
      await saveAnswer(change.connection, request, toStored(outcome));
      return { outcome, replayed: false };
    });
    if (replayed) res.set('Idempotent-Replayed', 'true');
    if (outcome instanceof Problem) throw outcome;
    return outcome;
  };
}

/** A refusal undoes what was done until then, but not the reservation of the key. */
async function attempt(change: Change, work: (change: Change) => Promise<Answer>): Promise<Answer | Problem> {
  await change.connection.query({ text: 'SAVEPOINT work' });
  try {
    return await work(change);
  } catch (err) {
    if (!(err instanceof Problem) || err.status >= 500 || err.status === 429) throw err;
    await change.connection.query({ text: 'ROLLBACK TO SAVEPOINT work' });
    return err;
  }
}

/** The draft requires a quoted string (RFC 8941 §3.3.3); many clients send it unquoted. */
const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/;

function readKey(req: Request): string | undefined {
  const header = req.get('Idempotency-Key');
  if (header === undefined) return undefined;
  const match = KEY.exec(header);
  const key = match?.[1] ?? match?.[2];
  if (key !== undefined) return key;
  const detail = 'At most 255 printable ASCII characters, such as a UUID.';
  throw validationFailed([{ header: 'Idempotency-Key', code: 'invalid_format', detail }]);
}

function toIdempotentRequest(req: Request, sent: unknown, author: Author, key: string): IdempotentRequest {
  // The path with and without a version is one: a retry may come by the other.
  const path = `${req.baseUrl}${req.path}`.replace(/^\/api\/v1(?=\/)/i, '/api').replace(/\/$/, '');
  const hash = createHash('sha256')
    .update(JSON.stringify([req.method, path, sent], sortMembers))
    .digest();
  return { organizationId: author.organizationId, userId: author.userId, key, hash };
}

/** For `JSON.stringify`: objects that differ only in the order of their members have the same text. */
const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function toStored(outcome: Answer | Problem): StoredAnswer {
  if (!(outcome instanceof Problem)) return { kind: 'answer', answer: outcome };
  const { status, code, title, detail, errors, headers, extensions } = outcome;
  return { kind: 'refusal', status, refusal: { code, title, detail, errors, headers, extensions } };
}

function fromStored(stored: StoredAnswer): Answer | Problem {
  if (stored.kind === 'answer') return stored.answer;
  const { code, title, detail, errors, headers, extensions } = stored.refusal;
  return pastProblem(stored.status, code, title, {
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
    headers,
    extensions,
  });
}

const inProgress = (): Problem =>
  problem('idempotency_in_progress', {
    detail: 'A request with this Idempotency-Key is being answered.',
    headers: { 'Retry-After': '1' },
  });

const keyReused = (): Problem =>
  problem('idempotency_key_reused', {
    detail: 'This Idempotency-Key was used for another request in the last 24 hours.',
  });
