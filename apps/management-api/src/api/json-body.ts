import { Problem } from '@legate/service';
import express, { type RequestHandler } from 'express';

const MAX_BODY_BYTES = 100 * 1024;
/** Nothing we read has half as many. What walks a body recursively would overflow its stack tens of thousands down. */
const MAX_DEPTH = 20;

/**
 * Reads a JSON body. Another media type is refused before a byte of it is read.
 * @param acceptHeader tells the refused which types are read
 */
export function jsonBody(
  mediaTypes: string[] = ['application/json'],
  acceptHeader: 'Accept' | 'Accept-Patch' = 'Accept',
): RequestHandler[] {
  return [
    (req, _res, next) => {
      // null: no body at all, which is for the route's schema to judge, as is one of no bytes
      if (req.get('Content-Length') !== '0' && req.is(mediaTypes) === false) {
        throw new Problem(415, 'unsupported_media_type', 'Unsupported media type', {
          detail: `Send ${mediaTypes[0]}.`,
          headers: { [acceptHeader]: mediaTypes.join(', ') },
        });
      }
      next();
    },
    // Not only objects and arrays: what else is JSON gets the answer of the schema.
    express.json({ limit: MAX_BODY_BYTES, strict: false, type: mediaTypes }),
    (req, _res, next) => {
      if (isDeeper(req.body, MAX_DEPTH)) {
        throw new Problem(400, 'malformed_json', 'Malformed request', { detail: 'It is nested too deeply.' });
      }
      next();
    },
  ];
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1)));
