import { ByteLimitExceeded, readBytes } from '@legate/bounded-body';
import { MAX_FORM_BYTES, OAuthError } from '@legate/oauth';
import type { PlainRequest, RequestHeaders } from '../http/plain.ts';

/** A body parser of the application has read the request, and its result cannot be turned back into a form. */
export class BodyTaken extends Error {
  override readonly name = 'BodyTaken';
  constructor() {
    super('a body parser runs in front of the token endpoint; mount Legate first');
  }
}

/**
 * Returns the text of a form (`application/x-www-form-urlencoded`).
 * @throws {OAuthError} `invalid_request` as 400, 413 or 415
 * @throws {BodyTaken} a mistake in the application, not of the client
 */
export async function readForm(
  request: Pick<PlainRequest, 'headers' | 'parsedBody' | 'readBody'>,
): Promise<string> {
  if (request.parsedBody !== undefined) return withinLimit(formTextOf(request.parsedBody, request));
  const decode = decoderOf(request);
  const unpack = unpackerOf(request);
  try {
    return decode(await unpack(await request.readBody(MAX_FORM_BYTES)));
  } catch (cause) {
    if (cause instanceof ByteLimitExceeded) refuseLarge();
    throw new OAuthError('invalid_request', 'the body cannot be read', { cause });
  }
}

function refuseLarge(): never {
  throw new OAuthError('invalid_request', 'the body is too large', { status: 413 });
}

function withinLimit(text: string): string {
  if (new TextEncoder().encode(text).byteLength > MAX_FORM_BYTES) refuseLarge();
  return text;
}

/** The charsets of the Encoding standard, as `express.text` knows them; default UTF-8. */
function decoderOf(request: RequestHeaders): (bytes: Uint8Array) => string {
  const type = request.headers.get('content-type') ?? '';
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";,]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    const decoder = new TextDecoder(charset);
    return (bytes) => decoder.decode(bytes);
  } catch {
    throw new OAuthError('invalid_request', 'charset', { status: 415 });
  }
}

/** Decompresses the formats of the Compression standard; the limit also applies to the decompressed body. */
function unpackerOf(request: RequestHeaders): (bytes: Uint8Array) => Promise<Uint8Array> | Uint8Array {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  switch (encoding) {
    case 'identity':
      return (bytes) => bytes;
    case 'gzip':
    case 'deflate':
      return (bytes) =>
        readBytes(
          new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(encoding)),
          MAX_FORM_BYTES,
        );
    default:
      throw new OAuthError('invalid_request', 'content encoding', { status: 415 });
  }
}

/** Turns a flat object back into a form: an array is a repeated parameter, which later checks refuse. */
function formTextOf(parsed: unknown, request: RequestHeaders): string {
  if (typeof parsed === 'string') return parsed;
  if (parsed instanceof Uint8Array) return decoderOf(request)(parsed);
  if (parsed instanceof ArrayBuffer) return decoderOf(request)(new Uint8Array(parsed));
  if (parsed instanceof URLSearchParams) return parsed.toString();
  const entries = parsed instanceof FormData ? [...parsed] : entriesOf(parsed);
  const form = new URLSearchParams();
  for (const [name, values] of entries) {
    for (const value of [values].flat()) {
      // A parser of nested names turns `a[b]=c` into an object, and files of a form are objects.
      if (typeof value !== 'string') throw new OAuthError('invalid_request', `${name} is no text`);
      form.append(name, value);
    }
  }
  return form.toString();
}

function entriesOf(parsed: unknown): [string, unknown][] {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new BodyTaken();
  return Object.entries(parsed);
}
