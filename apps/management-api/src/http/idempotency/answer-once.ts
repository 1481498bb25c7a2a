import type { Answer } from '@legate/operations';
import { Problem } from '@legate/service';
import { authorOf } from '../../callers/admission/author-of-request.ts';
import type { Change, MakeChange } from '../../changes/change.ts';
import type { AnswerOnce } from '../api/operation.ts';
import { inProgress, keyReused, readKey, toIdempotentRequest } from './idempotent-request.ts';
import { reserveKey, saveAnswer } from './store.ts';
import { fromStored, isStorable, type StoredAnswer, toStored } from './stored-answer.ts';

/**
 * Reserves the key in the transaction of the change: either both are saved, or neither. Refusals are stored too; 5xx
 * and 429 never are, nor are refusals of invalid bodies, which come earlier.
 * @see draft-ietf-httpapi-idempotency-key-header-07
 * @throws {Problem} 400 for an invalid key, 409 `idempotency_in_progress`, 422 `idempotency_key_reused`
 */
export function createAnswerOnce(deps: { makeChange: MakeChange; clock: () => Date }): AnswerOnce {
  return async (req, res, sent, work, secrets = []) => {
    const author = authorOf(req, res);
    const key = readKey(req);
    if (key === undefined) return deps.makeChange(author, work);

    const request = toIdempotentRequest(req, sent, author, key);
    const { outcome, replayed } = await deps.makeChange(author, async (change) => {
      const reservation = await reserveKey(change.connection, request, deps.clock());
      if (reservation.kind === 'in_progress') throw inProgress();
      if (reservation.kind === 'other_request') throw keyReused();
      if (reservation.kind === 'answered' && reservation.answer !== null) {
        return { outcome: fromStored(reservation.answer as StoredAnswer), replayed: true };
      }
      const outcome = await attempt(change, work);
      await saveAnswer(change.connection, request, toStored(outcome, secrets));
      return { outcome, replayed: false };
    });
    if (replayed) res.set('Idempotent-Replayed', 'true');
    if (outcome instanceof Problem) throw outcome;
    return outcome;
  };
}

/** Rolls back the changes of a refused request, but not the reservation of its key. */
async function attempt(change: Change, work: (change: Change) => Promise<Answer>): Promise<Answer | Problem> {
  await change.connection.query({ text: 'SAVEPOINT work' });
  try {
    return await work(change);
  } catch (err) {
    if (!isStorable(err)) throw err;
    await change.connection.query({ text: 'ROLLBACK TO SAVEPOINT work' });
    return err;
  }
}
