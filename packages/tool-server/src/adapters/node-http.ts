import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteLimitExceeded, isFragmented } from '@legate/bounded-body';
import { collectBody } from '@legate/bounded-body/node';
import type { PlainAnswer, PlainRequest } from '../http/plain.ts';

/** The headers of a request of node:http, as Node.js joins those that are repeated. */
export function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headers))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}

/**
 * Returns the absolute URL of a request target (RFC 9112 §3.2). The target is appended to the origin, not resolved
 * against it: `//host/path` is a path here, and must not become another host.
 */
export function urlOf(target: string, origin: string): string {
  if (target.startsWith('/')) return `${origin}${target}`;
  return URL.canParse(target) ? target : `${origin}/`;
}

/**
 * The body of a request as a stream that is read only on demand.
 * @param maxBytes beyond it the stream fails, after `onTooLarge`; the connection stays usable for the response
 */
export function bodyOf(
  req: IncomingMessage,
  maxBytes = Number.POSITIVE_INFINITY,
  onTooLarge = () => {},
): ReadableStream<Uint8Array> | null {
  if (req.method === 'GET' || req.method === 'HEAD' || req.readableDidRead) return null;
  let length = 0;
  let chunks = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (req.readableEnded) return controller.close(); // the body was read before, and was empty
        if (req.destroyed) return controller.error(new Error(HUNG_UP));
        req.pause();
        req.on('data', (chunk: Buffer) => {
          length += chunk.byteLength;
          chunks += 1;
          if (length > maxBytes || isFragmented(chunks, length)) {
            onTooLarge();
            controller.error(new Error(length > maxBytes ? `more than ${maxBytes} bytes` : TOO_MANY_CHUNKS));
            req.removeAllListeners('data').resume(); // the rest is read and dropped
            return;
          }
          controller.enqueue(chunk);
          req.pause();
        });
        req.once('end', () => length <= maxBytes && controller.close());
        req.once('error', (err) => controller.error(err));
      },
      pull: () => void req.resume(),
      cancel: () => void req.removeAllListeners('data').removeAllListeners('end').resume(),
    },
    { highWaterMark: 0 },
  );
}

/** Converts a request of node:http to the form that the endpoints read. */
export const plainOf = (req: IncomingMessage, pathname: string, parsedBody: unknown): PlainRequest => ({
  method: req.method ?? 'GET',
  pathname,
  headers: headerReader(req),
  parsedBody: req.readableDidRead ? (parsedBody ?? null) : undefined,
  readBody: (maxBytes) => readBody(req, maxBytes),
});

/** Reads single headers without building all of them. */
export const headerReader = ({ headers }: IncomingMessage): PlainRequest['headers'] => ({
  get: (name) => headers[name]?.toString() ?? null,
});

function readBody(req: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    collectBody(req, { maxBytes }, (fault, body) => {
      if (fault === undefined) resolve(body.toBuffer());
      else if (fault === 'hung_up') reject(new Error(HUNG_UP));
      else
        reject(
          new ByteLimitExceeded(fault === 'too_large' ? `more than ${maxBytes} bytes` : TOO_MANY_CHUNKS),
        );
    });
  });
}
const HUNG_UP = 'the caller has hung up';
const TOO_MANY_CHUNKS = 'too many small chunks';

export function sendAnswer(res: ServerResponse, { status, headers, body }: PlainAnswer): void {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
  res.end(body ?? undefined);
}

/**
 * Sends a response, as a stream if it is one. Keeps headers that the application has set before. Stops, and cancels the
 * stream, when the caller has disconnected.
 */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) res.setHeader(name, value);
  const cookies = response.headers.getSetCookie(); // setting them one by one would keep only the last one
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
  if (!response.body) return void res.end();

  const reader = response.body.getReader();
  const onClose = () => void reader.cancel().catch(() => {});
  res.once('close', onClose);
  try {
    const first = await reader.read();
    let next = reader.read();
    // Most responses consist of one chunk, and are sent with their length; a stream is sent chunk by chunk without
    // delay.
    const last = await Promise.race([
      next,
      new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
    ]);
    if (first.done || last?.done) return void res.end(first.value);
    await write(res, first.value);
    for (let piece = await next; !piece.done; piece = await next) {
      await write(res, piece.value);
      next = reader.read();
    }
    res.end();
  } catch (err) {
    res.destroy(); // half a response must not look like a complete one
    throw err;
  } finally {
    res.off('close', onClose);
  }
}

/** Resolves when more can be written, or the client has disconnected. */
async function write(res: ServerResponse, piece: Uint8Array): Promise<void> {
  if (res.write(piece) || res.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.once('drain', done).once('close', done);
  });
}
