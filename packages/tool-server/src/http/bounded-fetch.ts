import { ByteLimitExceeded, readBytes } from '@legate/bounded-body';
import { codesOf, messageOf } from './causes.ts';

const TIMEOUT_MS = 5000;
const DOCUMENT_BYTES = 65_536;

/** The peer's response is unusable: a redirect, too many bytes, another status, or not JSON. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
  readonly code = 'ERR_UNUSABLE_ANSWER';
}

/**
 * Returns a `fetch` that follows no redirect and limits time and size.
 * @param fetch default: the global one, for https and loopback addresses only. Your own one must check addresses
 * itself: the guarded client of `@legate/service` refuses private ones
 * @throws {UnusableAnswer | TypeError | DOMException} from the returned function
 */
export function createBoundedFetch(
  fetch: typeof globalThis.fetch | undefined,
  maxBytes: number,
): (url: string, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    if (!fetch) requireSafeScheme(url);
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const response = await (fetch ?? globalThis.fetch)(url, {
      ...init,
      redirect: 'manual',
      signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
    });
    const { status, headers } = response;
    // A browser's fetch hides a redirect behind the status 0.
    if (status === 0 || (status >= 300 && status < 400)) {
      await response.body?.cancel();
      throw new UnusableAnswer(`${url}: redirects are not followed`);
    }
    const bytes = await readBytes(response.body, maxBytes).catch((err: unknown) => {
      throw err instanceof ByteLimitExceeded ? new UnusableAnswer(`${url}: ${err.message}`) : err;
    });
    return new Response(BODYLESS.includes(status) ? null : bytes, { status, headers });
  };
}

/** Fetch standard, "null body status" */
const BODYLESS = [204, 205];

/** The peer did not respond, or not in time. The message has the address and the code of the cause. */
class NoAnswer extends Error {
  constructor(url: string, cause: unknown) {
    super(`${url}: ${codesOf(cause)[0] ?? messageOf(cause)}`, { cause });
    // `createIssuerKeySet` recognises a time-out by this name.
    this.name = cause instanceof Error && cause.name === 'TimeoutError' ? cause.name : 'NoAnswer';
  }
}

/**
 * Returns a reader of JSON documents with the limits of {@link createBoundedFetch}.
 * @throws {Error} from the returned function; its message has the address, for the log
 */
export function createJsonReader(fetch?: typeof globalThis.fetch): (url: string) => Promise<unknown> {
  const boundedFetch = createBoundedFetch(fetch, DOCUMENT_BYTES);
  return async (url) => {
    const headers = { Accept: 'application/json' };
    const response = await boundedFetch(url, { headers }).catch((err: unknown) => {
      throw err instanceof UnusableAnswer ? err : new NoAnswer(url, err);
    });
    if (response.status !== 200) throw new UnusableAnswer(`${url}: status ${response.status}`);
    return response.json().catch(() => {
      throw new UnusableAnswer(`${url}: not JSON`);
    });
  };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Keys that are read over plain http from another machine could be anybody's. */
function requireSafeScheme(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return;
  throw new UnusableAnswer(`${url}: only https, or http at a loopback address`);
}
