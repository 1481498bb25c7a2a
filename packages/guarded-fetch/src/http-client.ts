import type { Memory } from '@legate/bounded-body/node';
import { Agent, type Dispatcher } from 'undici';
import { createGuardedConnector, type TlsIdentity } from './guarded-connector.ts';
import { parseConnectTo, parseOutboundAllow } from './outbound-rules.ts';
import { receive } from './receive.ts';
import { UnusableAnswer } from './unusable-answer.ts';

export interface HttpClientOptions {
  /** Addresses that are allowed besides public ones: `loopback` or CIDR blocks */
  readonly allow?: readonly string[];
  /** Name of the setting that `allow` is from, for the message of `ForbiddenAddress` */
  readonly allowSetting?: string | undefined;
  /** `host:port=host:port` pairs, set by the operator and therefore trusted */
  readonly connectTo?: readonly string[];
  /** Limit for a whole request of `fetch`, default 5000 */
  readonly timeoutMs?: number;
  /** Limit for `fetch`, after decompression, default 65 536 */
  readonly maxResponseBytes?: number;
  /** Counts the bytes of a response that `fetch` holds until it is complete */
  readonly memory?: Memory;
  /** Value of `User-Agent` for requests without one. Default: `Legate` */
  readonly userAgent?: string;
  /** Wraps `fetch`, and so `getJson`: for traces */
  readonly instrument?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
}

export interface HttpClient {
  /**
   * `fetch` that follows no redirect and limits time and size; for libraries that accept a fetch.
   * @throws {UnusableAnswer} the response is a redirect or too large
   * @throws {TypeError} no connection; its `cause` is a `ForbiddenAddress` if the address is not permitted
   * @throws {DOMException} `TimeoutError`, or the caller's own abort
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * GETs a JSON document.
   * @throws {UnusableAnswer} not 200, not JSON, too large, or a redirect; and what `fetch` throws
   */
  getJson(url: string): Promise<unknown>;
  /** The pooled connections, with the same address checks; for streaming and for performance-critical paths. */
  readonly dispatcher: Agent;
  /**
   * Creates a client with the same rules and connections of its own, over TLS only, which present a client certificate;
   * the caller closes it.
   * @throws {Error} for unusable PEM
   */
  withIdentity(identity: TlsIdentity): HttpClient;
  close(): Promise<void>;
}

/**
 * Creates an HTTP client that resolves names first and checks each address before it connects, so neither a name that
 * points inwards nor one that changes between check and use (DNS rebinding) reaches a private, link-local or metadata
 * address. Plain http works only for allowed addresses. See docs/adr/0005.
 * @throws {Error} if `allow` or `connectTo` is malformed
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const timeoutMs = options.timeoutMs ?? 5000;
  const maxResponseBytes = options.maxResponseBytes ?? 65_536;
  const rules = {
    allowed: parseOutboundAllow(options.allow ?? []),
    connectTo: parseConnectTo(options.connectTo ?? []),
    timeoutMs,
    allowSetting: options.allowSetting,
  };
  const open = (identity?: TlsIdentity): HttpClient => {
    const dispatcher = new Agent({
      connect: createGuardedConnector({ ...rules, identity }),
      keepAliveTimeout: 30_000,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    });
    return {
      ...requestsThrough(dispatcher, { ...options, timeoutMs, maxResponseBytes }),
      dispatcher,
      withIdentity: open,
      close: () => dispatcher.close(),
    };
  };
  return open();
}

function requestsThrough(
  dispatcher: Agent,
  options: HttpClientOptions & { timeoutMs: number; maxResponseBytes: number },
): Pick<HttpClient, 'fetch' | 'getJson'> {
  const { timeoutMs, maxResponseBytes } = options;

  const guardedFetch: typeof globalThis.fetch = async (input, init) => {
    const { url, method, headers, body, signal } = await partsOf(input, init, options.userAgent);
    const request = { ...targetOf(url), method, headers: [...headers].flat(), body };
    const limits = { timeoutMs, maxBytes: maxResponseBytes, memory: options.memory, signal };
    const received = await receive(dispatcher, request, url, limits);
    const { status, content } = received;
    return new Response(BODYLESS.includes(status) ? null : content, { status, headers: received.headers });
  };

  const fetch = options.instrument?.(guardedFetch) ?? guardedFetch;
  return {
    fetch,
    async getJson(url) {
      const answer = await fetch(url, { headers: { Accept: 'application/json' } });
      if (answer.status !== 200) throw new UnusableAnswer(url, `status ${answer.status}`, answer.status);
      return answer.json().catch(() => {
        throw new UnusableAnswer(url, 'not JSON', answer.status);
      });
    },
  };
}

/**
 * Returns the request that `fetch` would send.
 * @see Fetch standard, "Request constructor"
 */
async function partsOf(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit = {},
  userAgent = 'Legate',
) {
  const request = input instanceof Request ? input : undefined;
  const headers = new Headers(init.headers ?? request?.headers);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  headers.set('accept-encoding', 'gzip, deflate, br');
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
  const content = init.body ?? request?.body;
  return {
    url: request?.url ?? String(input),
    method: (init.method ?? request?.method ?? 'GET').toUpperCase() as Dispatcher.HttpMethod,
    headers,
    body: content ? await bytesOf(content, headers) : null,
    signal: init.signal ?? request?.signal,
  };
}

/** @param headers receive the content type of the body, unless they have one */
async function bytesOf(
  content: NonNullable<RequestInit['body']>,
  headers: Headers,
): Promise<string | Buffer> {
  if (typeof content === 'string' || content instanceof URLSearchParams) {
    const type = typeof content === 'string' ? 'text/plain' : 'application/x-www-form-urlencoded';
    if (!headers.has('content-type')) headers.set('content-type', `${type};charset=UTF-8`);
    return String(content);
  }
  const response = new Response(content);
  const type = response.headers.get('content-type');
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
  return Buffer.from(await response.arrayBuffer());
}

/**
 * @throws {TypeError} for URLs that `fetch` would read without a peer, and for URLs with credentials, which `fetch`
 * refuses as well
 */
function targetOf(url: string): { origin: string; path: string } {
  if (!/^https?:/i.test(url)) throw new TypeError('only http and https URLs can be requested');
  const { origin, pathname, search, username, password } = new URL(url);
  if (username !== '' || password !== '') throw new TypeError('a URL must not include credentials');
  return { origin, path: `${pathname}${search}` };
}

/** Fetch standard, "null body status" */
const BODYLESS = [204, 205, 304];
