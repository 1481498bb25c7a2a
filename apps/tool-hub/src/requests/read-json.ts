import { isUtf8 } from 'node:buffer';
import { repeatsName } from '@legate/mcp-client';
import { type BodyFault, collectBody, type MemoryHold, type Problem, parsedJsonBytes } from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import { problem } from '../domain/problem-codes.ts';
import { hubBusy } from '../refusals/limit-problems.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The text of a JSON body, set by `readJson` */
      bodyText?: string;
    }
  }
}

/** Media type of a JSON body. RFC 8259 §8.1 allows only UTF-8; a parameter that declares it is tolerated. */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a JSON body into `req.body`, and its text for `bodyTextOf`; without a body both remain undefined.
 *
 * Unlike `express.json`, it counts a body and its parsed form against the caller's memory, refuses a body in many small
 * chunks, refuses an object with two members of the same name (which parsers interpret differently), and keeps the
 * original text, so that parts of it are passed on unchanged.
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

    const memory = memoryOf?.(res);
    collectBody(req, { maxBytes, memory }, (fault, body) => {
      if (fault === 'hung_up') return; // the client has disconnected, so no response is sent
      if (fault) return next(REFUSALS[fault]());
      try {
        const bytes = body.toBuffer();
        countParsed(memory, bytes);
        const { text, value } = parse(bytes);
        req.body = value;
        res.locals.bodyText = text;
      } catch (err) {
        return next(err);
      } finally {
        body.release();
      }
      next();
    });
  };
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Refuses a request by its headers alone, before the body is read. */
function refuseUnread({ headers }: Request): Problem | undefined {
  const encoding = headers['content-encoding'];
  const isPlain = encoding === undefined || encoding === 'identity';
  if (isPlain && JSON_TYPE.test(headers['content-type'] ?? '')) return undefined;
  return problem('unsupported_media_type', {
    detail: 'Send application/json in UTF-8, uncompressed.',
    headers: { Accept: 'application/json' },
  });
}

/** Returns the text of a body that was read, so that parts of it can be passed on unchanged. */
export const bodyTextOf = ({ locals }: Response): string => locals.bodyText ?? '';

/**
 * Number of times that a body is in memory: as text, as objects, as the strings in them, and as text and bytes of the
 * request to the tool server.
 */
const COPIES = 5;

/** @throws {Problem} 413 if the parsed body exceeds the caller's maximum; 503 if there is no room now */
function countParsed(memory: MemoryHold | undefined, bytes: Buffer): void {
  if (!memory) return;
  const cost = COPIES * bytes.length + parsedJsonBytes(bytes);
  if (cost > memory.maxBytes) throw tooLarge();
  if (!memory.take(cost)) throw hubBusy();
}

/** @throws {Problem} 400, also for an object with two members of the same name, which parsers interpret differently */
function parse(bytes: Buffer): { text: string; value: unknown } {
  const text = bytes.toString('utf8');
  const value = isUtf8(bytes) ? parseText(text) : undefined;
  if (value === undefined) throw malformed('is not JSON in UTF-8');
  if (repeatsName(text, value)) throw malformed('has an object with two members of the same name');
  return { text, value };
}

/** @returns undefined if the text is not JSON */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the parser's error quotes its input, which must not be revealed
  }
}

const malformed = (what: string): Problem =>
  problem('malformed_json', { detail: `The request body ${what}.` });

const fragmented = (): Problem =>
  problem('payload_too_large', {
    detail: 'The request body arrives in too many small chunks.',
    headers: { Connection: 'close' },
  });

const tooLarge = (): Problem => problem('payload_too_large', { headers: { Connection: 'close' } });

const REFUSALS: Readonly<Record<Exclude<BodyFault, 'hung_up'>, () => Problem>> = {
  too_large: tooLarge,
  fragmented,
  no_room: hubBusy,
};
