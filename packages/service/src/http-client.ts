import { Agent, fetch as undiciFetch } from 'undici';
import { ByteCollector } from './byte-collector.ts';
import { createGuardedConnector, type TlsIdentity } from './guarded-connector.ts';
import type { MemoryHold } from './memory-budget.ts';
import { parseConnectTo, parseOutboundAllow } from './outbound-rules.ts';
import { traced } from './tracing/client-span.ts';

/** The peer's response is unusable: a redirect, too many bytes, another status, or not JSON. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
  readonly code = 'ERR_UNUSABLE_ANSWER';
  constructor(
    readonly url: string,
    detail: string,
    readonly status?: number,
  ) {
    super(`${new URL(url).origin}: ${detail}`);
  }
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
  /** The pooled connections, with the same guard; for streaming and for the hot path. */
  readonly dispatcher: Agent;
  /**
   * Separate connections, over TLS only, that present a client certificate; the caller closes them.
   * @throws {Error} for unusable PEM
   */
  dispatcherWith(identity: TlsIdentity): Agent;
  close(): Promise<void>;
}

/**
 * The only HTTP client of a service. It resolves names first and checks each address before it connects, so neither a
 * name that points inwards nor one that changes between check and use (DNS rebinding) reaches a private, link-local or
 * metadata address. Plain http works only for allowed addresses. See docs/adr/0005.
 * @param options.allow besides public addresses: `loopback` or CIDR blocks
 * @param options.connectTo `host:port=host:port` pairs, set by the operator and therefore trusted
 * @param options.timeoutMs for a whole request of `fetch`, default 5000
 * @param options.maxResponseBytes for `fetch`, after decompression, default 65 536
 * @param options.memory counts the bytes of a response that `fetch` holds until it is complete
 * @throws {Error} if `allow` or `connectTo` is malformed
 */
export function createHttpClient(
  options: {
    allow?: readonly string[];
    connectTo?: readonly string[];
    timeoutMs?: number;
    maxResponseBytes?: number;
    memory?: MemoryHold;
  } = {},
): HttpClient {
  const timeoutMs = options.timeoutMs ?? 5000;
  const maxResponseBytes = options.maxResponseBytes ?? 65_536;
  const rules = {
    allowed: parseOutboundAllow(options.allow ?? []),
    connectTo: parseConnectTo(options.connectTo ?? []),
    timeoutMs,
  };
  const open = (identity?: TlsIdentity): Agent =>
    new Agent({
      connect: createGuardedConnector({ ...rules, identity }),
      keepAliveTimeout: 30_000,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
    });
  const dispatcher = open();

  const guardedFetch: typeof globalThis.fetch = async (input, init) => {
    const { url, parts } =
      input instanceof Request ? await partsOf(input) : { url: String(input), parts: undefined };
    // `fetch` also reads data: and blob: URLs, which no peer may make us take for its answer.
    if (!/^https?:/i.test(url)) throw new TypeError('only http and https URLs can be requested');
    const signal = init?.signal ?? parts?.signal;
    const timeout = AbortSignal.timeout(timeoutMs);
    const answer = await undiciFetch(url, {
      ...parts,
      ...(init as Parameters<typeof undiciFetch>[1]),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      dispatcher,
    });
    // 304 is not a redirect: it answers a conditional request.
    const isRedirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
    if (isRedirect || answer.status > 599) {
      await answer.body?.cancel();
      const detail = isRedirect ? 'redirects are not followed' : `status ${answer.status}`;
      throw new UnusableAnswer(url, detail, answer.status);
    }
    const body = await readCapped(answer, url, maxResponseBytes, options.memory);
    const bodyless = [204, 205, 304].includes(answer.status);
    return new Response(bodyless ? null : body, {
      status: answer.status,
      statusText: answer.statusText,
      headers: [...answer.headers],
    });
  };

  const fetch = traced(guardedFetch);
  return {
    fetch,
    async getJson(url) {
      const answer = await fetch(url, { headers: { Accept: 'application/json' } });
      if (answer.status !== 200) throw new UnusableAnswer(url, `status ${answer.status}`, answer.status);
      return answer.json().catch(() => {
        throw new UnusableAnswer(url, 'not JSON', answer.status);
      });
    },
    dispatcher,
    dispatcherWith: open,
    close: () => dispatcher.close(),
  };
}

/** undici's fetch does not know the global Request class, so its parts are handed over. */
async function partsOf(request: Request) {
  const { url, method, headers, signal } = request;
  const body = request.body === null ? {} : { body: await request.arrayBuffer() };
  return { url, parts: { method, headers: Object.fromEntries(headers), signal, ...body } };
}

async function readCapped(
  answer: Awaited<ReturnType<typeof undiciFetch>>,
  url: string,
  maxBytes: number,
  memory: MemoryHold | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const collector = new ByteCollector(memory);
  try {
    for await (const chunk of answer.body ?? []) {
      if (collector.size + chunk.byteLength > maxBytes)
        throw new UnusableAnswer(url, `more than ${maxBytes} bytes`, answer.status);
      if (!collector.add(chunk)) throw new TypeError('no memory left for the answer');
    }
    return Uint8Array.from(collector.toBuffer());
  } finally {
    collector.release();
  }
}
