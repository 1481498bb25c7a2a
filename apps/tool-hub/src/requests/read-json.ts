import { isUtf8 } from 'node:buffer';
import {
  type BodyFault,
  collectBody,
  inThisRequest,
  type MemoryHold,
  type Problem,
  parsedJsonBytes,
} from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import { hubBusy } from '../refusals/limit-problems.ts';
import { problem } from '../refusals/problem-codes.ts';

/** RFC 8259 §8.1 allows no other encoding; a parameter that names it is tolerated. */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a JSON body into `req.body`; without a body it stays undefined. Replaces `express.json`, whose generality
 * (encodings, charsets, streams of any kind) takes a tenth of a warm tool call: docs/adr/0011.
 * @param options.maxBytes larger bodies get 413
 * @param options.memoryOf counts the body, in any form, until the response is sent; without room the response is 503
 */
export function readJson(options: {
  maxBytes: number;
  memoryOf?: (res: Response) => MemoryHold | undefined;
}): RequestHandler {
  const { maxBytes, memoryOf } = options;
  return (req, res, next) => {
    if (!hasBody(req)) return next();
    const refusal = refuseUnread(req);
    if (refusal) return next(refusal);

    const goOn = inThisRequest((err?: unknown) => next(err)); // a stream calls back outside of it
    const memory = memoryOf?.(res);
    collectBody(req, { maxBytes, memory }, (fault, body) => {
      if (fault === 'hung_up') return; // nobody gets an answer, and nothing waits for it
      if (fault) return goOn(REFUSALS[fault]());
      try {
        req.body = parseWithin(memory, body.toBuffer());
      } catch (err) {
        return goOn(err);
      } finally {
        body.release();
      }
      goOn();
    });
  };
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Refuses what the headers alone show. */
function refuseUnread({ headers }: Request): Problem | undefined {
  const encoding = headers['content-encoding'];
  const isPlain = encoding === undefined || encoding === 'identity';
  if (isPlain && JSON_TYPE.test(headers['content-type'] ?? '')) return undefined;
  return problem('unsupported_media_type', {
    detail: 'Send application/json, in UTF-8 and not compressed.',
    headers: { Accept: 'application/json' },
  });
}

/** A body becomes objects, strings in them, and the text and bytes of the request that goes upstream. */
const COPIES = 4;

/** @throws {Problem} 413 if the parsed body exceeds the caller's maximum; 503 if there is no room now */
function parseWithin(memory: MemoryHold | undefined, bytes: Buffer): unknown {
  if (memory) {
    const cost = COPIES * bytes.length + parsedJsonBytes(bytes);
    if (cost > memory.maxBytes) throw tooLarge();
    if (!memory.take(cost)) throw hubBusy();
  }
  return parse(bytes);
}

function parse(bytes: Buffer): unknown {
  try {
    if (isUtf8(bytes)) return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser's error quotes its input, which must not be revealed.
  }
  throw problem('malformed_json', {
    detail: 'The request body is not JSON in UTF-8.',
  });
}

const fragmented = (): Problem =>
  problem('payload_too_large', {
    detail: 'The request body comes in too many small chunks.',
    headers: { Connection: 'close' },
  });

const tooLarge = (): Problem => problem('payload_too_large', { headers: { Connection: 'close' } });

const REFUSALS: Readonly<Record<Exclude<BodyFault, 'hung_up'>, () => Problem>> = {
  too_large: tooLarge,
  fragmented,
  no_room: hubBusy,
};
