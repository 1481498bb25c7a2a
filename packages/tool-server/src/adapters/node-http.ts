import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainAnswer, PlainRequest } from '../http/plain.ts';
import { ByteLimitExceeded } from '../http/read-bytes.ts';

/** The headers of a request of node:http, as Node.js joins those that are repeated. */
export function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headers))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}

/**
 * Returns the absolute URL of a request target (RFC 9112 §3.2). Concatenated and not resolved: `//host/path` is a path
 * here, and must not become another host.
 */
export function urlOf(target: string, origin: string): string {
  if (target.startsWith('/')) return `${origin}${target}`;
  return URL.canParse(target) ? target : `${origin}/`;
}

/**
 * The body of a request as a stream that is read only on demand.
 * @param maxBytes beyond it the stream fails, after `onTooLarge`; the connection stays usable for the answer
 */
export function bodyOf(
  req: IncomingMessage,
  maxBytes = Number.POSITIVE_INFINITY,
  onTooLarge = () => {},
): ReadableStream<Uint8Array> | null {
  if (req.method === 'GET' || req.method === 'HEAD' || req.readableDidRead) return null;
  let length = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (req.readableEnded) return controller.close(); // read before, and there was nothing
        if (req.destroyed) return controller.error(new Error(HUNG_UP));
        req.pause();
        req.on('data', (chunk: Buffer) => {
          length += chunk.byteLength;
          if (length > maxBytes) {
            onTooLarge();
            controller.error(new Error(`more than ${maxBytes} bytes`));
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

/** Makes of a request of node:http what the endpoints read. */
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
  if (req.readableEnded) return Promise.resolve(new Uint8Array()); // read before, and there was nothing
  if (req.destroyed) return Promise.reject(new Error(HUNG_UP));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      if (length > maxBytes) settle(() => reject(new ByteLimitExceeded(`more than ${maxBytes} bytes`)));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onClose = () => settle(() => reject(new Error(HUNG_UP)));
    const settle = (how: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      req.resume(); // the rest is read and dropped, so that the connection stays usable
      how();
    };
    req.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });
}
const HUNG_UP = 'the caller has hung up';

export function sendAnswer(res: ServerResponse, { status, headers, body }: PlainAnswer): void {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
  res.end(body ?? undefined);
}

/**
 * Sends an answer, as a stream if it is one. Headers that the application has set before stay. Stops, and cancels the
 * stream, when the caller has hung up.
 */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) res.setHeader(name, value);
  const cookies = response.headers.getSetCookie(); // each was set alone, in the place of the one before
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
  if (!response.body) return void res.end();

  const reader = response.body.getReader();
  const onClose = () => void reader.cancel().catch(() => {});
  res.once('close', onClose);
  try {
    const first = await reader.read();
    let next = reader.read();
    // An answer in one piece, which most are, is sent with its length; a stream at once, piece by piece.
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
    res.destroy(); // half an answer must not look like a whole one
    throw err;
  } finally {
    res.off('close', onClose);
  }
}

/** Resolves when more may be written, or nobody reads any more. */
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
