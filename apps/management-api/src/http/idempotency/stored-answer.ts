import type { Answer } from '@legate/operations';
import { Problem, pastProblem } from '@legate/service';

/** A response as stored, or a refusal without data that is specific to its request. */
export type StoredAnswer =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'refusal'; status: number; refusal: Refusal };
type Refusal = Pick<Problem, 'code' | 'title' | 'detail' | 'errors' | 'headers' | 'extensions'>;

/** Returns true for responses that are stored: refusals too, but never 5xx and 429. */
export const isStorable = (err: unknown): err is Problem =>
  err instanceof Problem && err.status < 500 && err.status !== 429;

/** @param secrets members of the response that are null in a replay */
export function toStored(outcome: Answer | Problem, secrets: readonly string[]): StoredAnswer {
  if (!(outcome instanceof Problem)) return { kind: 'answer', answer: withoutSecrets(outcome, secrets) };
  const { status, code, title, detail, errors, headers, extensions } = outcome;
  return { kind: 'refusal', status, refusal: { code, title, detail, errors, headers, extensions } };
}

function withoutSecrets(answer: Answer, secrets: readonly string[]): Answer {
  if (secrets.length === 0) return answer;
  return {
    ...answer,
    body: { ...Object(answer.body), ...Object.fromEntries(secrets.map((name) => [name, null])) },
  };
}

export function fromStored(stored: StoredAnswer): Answer | Problem {
  if (stored.kind === 'answer') return stored.answer;
  const { code, title, detail, errors, headers, extensions } = stored.refusal;
  return pastProblem(stored.status, code, title, {
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
    headers,
    extensions,
  });
}
