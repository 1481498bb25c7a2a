import { inOnePiece } from '@legate/service';
import express, { type RequestHandler } from 'express';
import { problem } from '../../domain/problem-codes.ts';
import { findRepeatedMember } from './repeated-member.ts';

const MAX_BODY_BYTES = 100 * 1024;
/** RFC 8259 §8.1: JSON between systems is UTF-8. The parser would also decode UTF-7, which a filter in front does not see. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-8"?\s*(?:;|$))/i;
/**
 * Nothing we accept has half as many levels. Code that walks a body recursively would overflow its stack after tens of
 * thousands.
 */
const MAX_DEPTH = 20;

/**
 * Reads a JSON body. Refuses another media type or charset before reading any byte, and an object with a repeated
 * member before using it.
 * @param acceptHeader tells refused clients which types are accepted
 */
export function jsonBody(
  mediaTypes: string[] = ['application/json'],
  acceptHeader: 'Accept' | 'Accept-Patch' = 'Accept',
  maxBytes = MAX_BODY_BYTES,
): RequestHandler[] {
  return [
    (req, _res, next) => {
      // null: there is no body, which the route's schema checks, as it does an empty one
      const isOther = req.is(mediaTypes) === false || OTHER_CHARSET.test(req.get('Content-Type') ?? '');
      if (req.get('Content-Length') !== '0' && isOther) {
        throw problem('unsupported_media_type', {
          detail: `Send ${mediaTypes[0]}, in UTF-8.`,
          headers: { [acceptHeader]: mediaTypes.join(', ') },
        });
      }
      next();
    },
    // Not only objects and arrays: the schema refuses any other JSON.
    inOnePiece(
      maxBytes,
      express.json({ limit: maxBytes, strict: false, type: mediaTypes, verify: refuseRepeatedMembers }),
    ),
    (req, _res, next) => {
      if (isDeeper(req.body, MAX_DEPTH)) {
        throw problem('malformed_json', { detail: 'The JSON is nested too deeply.' });
      }
      next();
    },
  ];
}

/** Called by the parser with the bytes that it has decompressed, before it reads them as JSON. */
function refuseRepeatedMembers(_req: unknown, _res: unknown, body: Buffer): void {
  if (findRepeatedMember(body.toString('utf8')) === undefined) return;
  throw problem('malformed_json', { detail: 'An object has two members of the same name.' });
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1)));
