import type { RequestHandler } from 'express';
import { problem } from '../../domain/problem-codes.ts';

/** JSON types with and without the parameter that is sent: a media range must match a type with its parameters. */
const SENT = ['application/json', 'application/problem+json'].flatMap((type) => [
  type,
  `${type}; charset=utf-8`,
]);

/** Browsers send some 150 characters. The time that reading takes grows with the length, to that of many requests. */
const MAX_LENGTH = 1000;

/**
 * Refuses a request whose `Accept` takes neither of what it can be answered with (RFC 9110 §12.5.1), before anything is
 * done. The refusal itself is sent regardless, as every problem is; and so is the answer where `Accept` is too long to be
 * read, which §12.5.1 leaves to the server.
 * @param streams media types of the operation besides JSON
 * @throws {Problem} 406 `not_acceptable`
 */
export const refuseUnacceptableBut =
  (streams: readonly string[]): RequestHandler =>
  (req, _res, next) => {
    const { accept = '' } = req.headers;
    if (accept.length <= MAX_LENGTH && req.accepts([...SENT, ...streams]) === false) {
      throw problem('not_acceptable', {
        detail: 'Responses are application/json, or application/problem+json for errors. Accept one of them.',
      });
    }
    next();
  };

/** Refuses a request whose `Accept` takes no JSON, for operations that respond with nothing else. */
export const refuseUnacceptable = refuseUnacceptableBut([]);
