import type { RequestHandler } from 'express';
import { problem } from '../../domain/problem-codes.ts';

/** JSON types with and without the charset parameter: a media range must match a type with its parameters. */
const SENT = ['application/json', 'application/problem+json'].flatMap((type) => [
  type,
  `${type}; charset=utf-8`,
]);

/**
 * Browsers send about 150 characters. The time to parse the header grows with its length, up to that of many requests.
 */
const MAX_LENGTH = 1000;

/**
 * Refuses a request whose `Accept` matches none of the possible response types (RFC 9110 §12.5.1), before anything is
 * done. The refusal itself is sent regardless, like every problem; so is the response if `Accept` is too long to be
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

/** Refuses a request whose `Accept` does not match JSON, on operations that respond only with JSON. */
export const refuseUnacceptable = refuseUnacceptableBut([]);
