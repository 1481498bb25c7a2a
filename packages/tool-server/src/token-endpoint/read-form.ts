import { MAX_FORM_BYTES, OAuthError } from '@legate/oauth';
import { readBytes } from '../http/read-bytes.ts';

/** A body parser of the application has read the request, and left nothing that the form could be read from. */
export class BodyTaken extends Error {
  override readonly name = 'BodyTaken';
  constructor() {
    super('a body parser runs in front of the token endpoint; mount Legate first');
  }
}

/**
 * Returns the text of a form (`application/x-www-form-urlencoded`).
 * @param parsedBody what a body parser of the application made of the body; undefined: nobody has read it
 * @throws {OAuthError} `invalid_request` as 400, 413 or 415
 * @throws {BodyTaken} a mistake in the application, not of the client
 */
export async function readForm(request: Request, parsedBody: unknown): Promise<string> {
  if (parsedBody !== undefined) return withinLimit(await formTextOf(parsedBody, request));
  if (request.bodyUsed) throw new BodyTaken();
  const decode = decoderOf(request);
  try {
    return decode(await readBytes(unpacked(request), MAX_FORM_BYTES, refuseLarge));
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause;
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
function decoderOf(request: Request): (bytes: Uint8Array) => string {
  const type = request.headers.get('content-type') ?? '';
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";,]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    const decoder = new TextDecoder(charset);
    return (bytes) => decoder.decode(bytes);
  } catch {
    throw new OAuthError('invalid_request', 'charset', { status: 415 });
  }
}

function unpacked(request: Request): ReadableStream<Uint8Array> | null {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  switch (encoding) {
    case 'identity':
      return request.body;
    case 'gzip':
    case 'deflate':
      return request.body?.pipeThrough(new DecompressionStream(encoding)) ?? null;
    default:
      throw new OAuthError('invalid_request', 'content encoding', { status: 415 });
  }
}

/** Makes a form of a flat object again: an array is a repeated parameter, which later checks refuse as such. */
async function formTextOf(parsed: unknown, request: Request): Promise<string> {
  if (typeof parsed === 'string') return parsed;
  if (parsed instanceof Uint8Array) return decoderOf(request)(parsed);
  if (parsed instanceof ArrayBuffer) return decoderOf(request)(new Uint8Array(parsed));
  if (parsed instanceof URLSearchParams) return parsed.toString();
  const entries = parsed instanceof FormData ? [...parsed] : entriesOf(parsed);
  const form = new URLSearchParams();
  for (const [name, values] of entries) {
    for (const value of [values].flat()) {
      if (typeof value !== 'string') throw new BodyTaken();
      form.append(name, value);
    }
  }
  return form.toString();
}

function entriesOf(parsed: unknown): [string, unknown][] {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new BodyTaken();
  return Object.entries(parsed);
}
