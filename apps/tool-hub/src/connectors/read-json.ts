import { isUtf8 } from 'node:buffer';
import { inThisRequest, Problem } from '@legate/service';
import type { Request, RequestHandler } from 'express';

/** RFC 8259 §8.1 knows no other encoding; a parameter that says so is tolerated. */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a JSON body into `req.body`; without a body it stays undefined. In the place of `express.json`, whose generality
 * (encodings, charsets, streams of any kind) is a tenth of what a warm tool call costs: docs/adr/0011.
 * @param options.maxBytes more are answered with 413
 */
export function readJson(options: { maxBytes: number }): RequestHandler {
  return (req, _res, next) => {
    if (!hasBody(req)) return next();
    const refusal = refuseUnread(req, options.maxBytes);
    if (refusal) return next(refusal);

    const goOn = inThisRequest((err?: unknown) => next(err)); // a stream calls back outside of it
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= options.maxBytes) chunks.push(chunk);
      else chunks.length = 0; // read to its end without being kept, so that the answer arrives
    });
    req.on('end', () => {
      if (size > options.maxBytes) return goOn(tooLarge());
      try {
        req.body = parse(chunks);
      } catch (err) {
        return goOn(err);
      }
      goOn();
    });
    // A caller that goes away in the middle gets no answer; nothing waits for it.
  };
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** What can be refused by the headers alone. */
function refuseUnread({ headers }: Request, maxBytes: number): Problem | undefined {
  const encoding = headers['content-encoding'];
  if (!JSON_TYPE.test(headers['content-type'] ?? '') || (encoding !== undefined && encoding !== 'identity')) {
    return new Problem(415, 'unsupported_media_type', 'Unsupported media type', {
      detail: 'Send application/json, in UTF-8 and not compressed.',
      headers: { Accept: 'application/json' },
    });
  }
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge() : undefined;
}

function parse(chunks: readonly Buffer[]): unknown {
  const [first] = chunks;
  const bytes = chunks.length === 1 && first ? first : Buffer.concat(chunks);
  try {
    if (isUtf8(bytes)) return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser quotes what it read, which is nobody's business.
  }
  throw new Problem(400, 'malformed_json', 'Malformed request', {
    detail: 'The request body is not JSON in UTF-8.',
  });
}

const tooLarge = (): Problem =>
  new Problem(413, 'payload_too_large', 'Payload too large', { headers: { Connection: 'close' } });
