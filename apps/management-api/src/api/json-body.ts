import { Problem } from '@legate/service';
import express, { type RequestHandler } from 'express';

const MAX_BODY_BYTES = 100 * 1024;

/** Reads a JSON body. Another media type is refused before a byte of it is read. */
export function jsonBody(): RequestHandler[] {
  return [
    (req, _res, next) => {
      // null: no body at all, which the route's schema refuses
      if (req.is('application/json') === false) {
        throw new Problem(415, 'unsupported_media_type', 'Unsupported media type', {
          detail: 'Send application/json.',
          headers: { Accept: 'application/json' },
        });
      }
      next();
    },
    // Not only objects and arrays: what else is JSON gets the answer of the schema.
    express.json({ limit: MAX_BODY_BYTES, strict: false }),
  ];
}
