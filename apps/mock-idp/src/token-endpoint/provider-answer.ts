import { answerRefusal, OAuthError } from '@legate/oauth';
import { noStore, oauthErrorHandler } from '@legate/oauth/express';
import type { Logger } from '@legate/service';
import type { ErrorRequestHandler, Response } from 'express';
import type { Answer, Fault, Members, Personality } from '../personalities/personality.ts';
import { RefusedAsRecorded } from '../personalities/refused-as-recorded.ts';

type Errors = Personality['errors'];

const find = (errors: Errors, code: unknown): Answer | undefined =>
  typeof code === 'string' && Object.hasOwn(errors, code) ? errors[code as Fault] : undefined;

export function sendAnswer(res: Response, { status, body }: Answer): void {
  noStore(res);
  res.status(status).json(body);
}

/** Converts refusals in a response of oidc-provider to the form of the imitated provider. */
export function inProviderForm(errors: Errors, answer: { status: number; body: string }): Answer {
  const body: Members = answer.body === '' ? {} : JSON.parse(answer.body);
  return (answer.status < 400 ? undefined : find(errors, body.error)) ?? { status: answer.status, body };
}

/**
 * Sends our own refusals in the form of the imitated provider, except for an unsupported method or media type (405,
 * 415).
 */
export function providerErrorHandler(errors: Errors, log: Logger): ErrorRequestHandler {
  const fallback = oauthErrorHandler(log);
  return (err: unknown, req, res, next) => {
    const isRefusal = err instanceof OAuthError && [400, 401].includes(err.status);
    const recorded = err instanceof RefusedAsRecorded ? err.answer : undefined;
    const answer = recorded ?? (isRefusal ? find(errors, err.code) : undefined);
    if (!answer || res.headersSent) return void fallback(err, req, res, next);
    const { headers } = answerRefusal(log, err, { request_id: res.get('X-Request-Id') });
    res.status(answer.status).set(headers).json(answer.body);
  };
}
