import type { Answer } from '@legate/operations';
import { Problem } from '@legate/service';
import { authorOf } from '../../callers/admission/author-of-request.ts';
import type { MakeChange } from '../../changes/change.ts';
import type { AnswerAgain } from '../api/operation.ts';
import { inProgress, keyReused, readKey, toIdempotentRequest } from './idempotent-request.ts';
import { reserveKey, saveAnswer } from './store.ts';
import { fromStored, isStorable, type StoredAnswer, toStored } from './stored-answer.ts';

/** A header that helpers of several operations set beside the response */
const BESIDE = 'Legate-Revocation';

/**
 * Handles a repeatable operation that needs more than one transaction: the key is reserved before them, and the
 * response saved after them. If the response is lost, or two requests arrive at the same time, the operation is
 * executed again, which changes nothing.
 */
export function createAnswerAgain(deps: { makeChange: MakeChange; clock: () => Date }): AnswerAgain {
  return async (req, res, sent, work) => {
    const key = readKey(req);
    if (key === undefined) return work();
    const author = authorOf(req, res);
    const request = toIdempotentRequest(req, sent, author, key);
    const reservation = await deps.makeChange(author, ({ connection }) =>
      reserveKey(connection, request, deps.clock()),
    );
    if (reservation.kind === 'in_progress') throw inProgress();
    if (reservation.kind === 'other_request') throw keyReused();
    const isAnswered = reservation.kind === 'answered' && reservation.answer !== null;
    const outcome = isAnswered ? fromStored(reservation.answer as StoredAnswer) : await attempt(work);
    if (isAnswered) {
      res.set('Idempotent-Replayed', 'true');
    } else {
      const beside = res.get(BESIDE);
      const answer =
        outcome instanceof Problem || beside === undefined
          ? outcome
          : { ...outcome, headers: { ...outcome.headers, [BESIDE]: beside } };
      await deps.makeChange(author, ({ connection }) =>
        saveAnswer(connection, request, toStored(answer, [])),
      );
    }
    if (outcome instanceof Problem) throw outcome;
    return outcome;
  };
}

async function attempt(work: () => Promise<Answer>): Promise<Answer | Problem> {
  try {
    return await work();
  } catch (err) {
    if (isStorable(err)) return err;
    throw err;
  }
}
