import { inOnePiece } from '@legate/service';
import express, { type RequestHandler } from 'express';
import { problem } from '../../domain/problem-codes.ts';
import { findRepeatedMember } from './repeated-member.ts';

const MAX_BODY_BYTES = 100 * 1024;
/**
 * RFC 8259 §8.1: JSON between systems is UTF-8. The parser would also decode UTF-7, which a filter in front of us does
 * not recognize.
 */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-8"?\s*(?:;|$))/i;
/**
 * No accepted body has half as many levels. Code that walks a body recursively would overflow its stack after tens of
 * thousands.
 */
const MAX_DEPTH = 20;

/**
 * Reads a JSON body. Refuses another media type or charset before reading any byte, and an object with a repeated
 * member before using it.
 * @param acceptHeader response header that contains the accepted media types
 */
export function jsonBody(
  mediaTypes: string[] = ['application/json'],
  acceptHeader: 'Accept' | 'Accept-Patch' = 'Accept',
  maxBytes = MAX_BODY_BYTES,
): RequestHandler[] {
  return [
    (req, _res, next) => {
      // `is` returns null without a body, which the route's schema checks, like an empty one
      const isOther = req.is(mediaTypes) === false || OTHER_CHARSET.test(req.get('Content-Type') ?? '');
      if (req.get('Content-Length') !== '0' && isOther) {
        throw problem('unsupported_media_type', {
          detail: `Send ${mediaTypes[0]}, in UTF-8.`,
          headers: { [acceptHeader]: mediaTypes.join(', ') },
        });
      }
      next();
    },
    // Any JSON is parsed: the schema refuses anything but an object or array.
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

/** Called by the body parser with the decompressed bytes, before it parses them as JSON. */
function refuseRepeatedMembers(_req: unknown, _res: unknown, body: Buffer): void {
  if (findRepeatedMember(body.toString('utf8')) === undefined) return;
  throw problem('malformed_json', { detail: 'An object has two members of the same name.' });
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1)));
