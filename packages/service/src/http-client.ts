import { lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, Response, fetch as undiciFetch } from 'undici';

/** The address a request would reach is not one that we may talk to. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'ERR_FORBIDDEN_ADDRESS';
  constructor(host: string) {
    super(`requests to ${host} are not allowed`);
  }
}

/** The peer answered, but not with what may be used: a redirect, too many bytes, another status, no JSON. */
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
   * `fetch` that follows no redirect and caps time and size; for libraries that take a fetch of their own.
   * @throws {UnusableAnswer} the answer is a redirect or too large
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * GETs a JSON document.
   * @throws {UnusableAnswer} not 200, not JSON, too large, or a redirect
   */
  getJson(url: string): Promise<unknown>;
  /** The pooled connections, with the same guard; for streaming and for the hot path. */
  readonly dispatcher: Agent;
  close(): Promise<void>;
}

/**
 * The one way out of a service. Names are resolved first and each address is judged before the connection is made, so
 * neither a name that points inwards nor one that changes between check and use (DNS rebinding) reaches a private,
 * link-local or metadata address. Plain http is for allowed addresses only.
 * @param options.allow besides public addresses: `loopback` or CIDR blocks
 * @param options.connectTo `host:port=host:port` pairs, set by the operator and therefore trusted
 * @param options.timeoutMs for a whole request of `fetch`, default 5000
 * @param options.maxResponseBytes for `fetch`, default 65 536
 */
export function createHttpClient(
  options: {
    allow?: readonly string[];
    connectTo?: readonly string[];
    timeoutMs?: number;
    maxResponseBytes?: number;
  } = {},
): HttpClient {
  const timeoutMs = options.timeoutMs ?? 5000;
  const maxResponseBytes = options.maxResponseBytes ?? 65_536;
  const dispatcher = new Agent({
    connect: createGuardedConnector(
      parseBlocks(options.allow ?? []),
      parseConnectTo(options.connectTo ?? []),
      timeoutMs,
    ),
    keepAliveTimeout: 30_000,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  });

  const guardedFetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const signals = [AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
    const answer = await undiciFetch(url, {
      ...(init as Parameters<typeof undiciFetch>[1]),
      redirect: 'manual',
      signal: AbortSignal.any(signals),
      dispatcher,
    });
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel();
      throw new UnusableAnswer(url, 'redirects are not followed', answer.status);
    }
    const body = await readCapped(answer, url, maxResponseBytes);
    const bodyless = answer.status === 204 || answer.status === 205;
    return new Response(bodyless ? null : body, {
      status: answer.status,
      statusText: answer.statusText,
      headers: answer.headers,
    }) as unknown as globalThis.Response;
  };

  return {
    fetch: guardedFetch,
    async getJson(url) {
      const answer = await guardedFetch(url, { headers: { Accept: 'application/json' } });
      if (answer.status !== 200) throw new UnusableAnswer(url, `status ${answer.status}`, answer.status);
      return answer.json().catch(() => {
        throw new UnusableAnswer(url, 'not JSON', answer.status);
      });
    },
    dispatcher,
    close: () => dispatcher.close(),
  };
}

async function readCapped(
  answer: Awaited<ReturnType<typeof undiciFetch>>,
  url: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new UnusableAnswer(url, `more than ${maxBytes} bytes`, answer.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

type Block = ReturnType<typeof ipaddr.parseCIDR>;

function parseBlocks(allow: readonly string[]): Block[] {
  return allow
    .flatMap((entry) => (entry === 'loopback' ? ['127.0.0.0/8', '::1/128'] : [entry]))
    .map((block) => ipaddr.parseCIDR(block));
}

function parseConnectTo(pairs: readonly string[]): ReadonlyMap<string, { hostname: string; port: string }> {
  return new Map(
    pairs.map((pair) => {
      const [from = '', to = ''] = pair.split('=');
      const { hostname, port } = new URL(`tcp://${to}`);
      return [from, { hostname, port }];
    }),
  );
}

function createGuardedConnector(
  allowed: readonly Block[],
  connectTo: ReadonlyMap<string, { hostname: string; port: string }>,
  timeoutMs: number,
): buildConnector.connector {
  const isAllowed = (address: string): boolean => {
    const parsed = ipaddr.process(address); // an IPv4 address mapped into IPv6 is judged as IPv4
    return allowed.some(
      ([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits]),
    );
  };
  const mayReach = (address: string, secure: boolean): boolean =>
    isAllowed(address) || (secure && ipaddr.process(address).range() === 'unicast');

  const guardedLookup =
    (secure: boolean): LookupFunction =>
    (hostname, lookupOptions, callback) => {
      dnsLookup(hostname, { ...lookupOptions, all: true }, (err, addresses) => {
        const [first] = addresses ?? [];
        if (err || !first) return callback(err ?? new ForbiddenAddress(hostname), '', 0);
        if (!addresses.every(({ address }) => mayReach(address, secure))) {
          return callback(new ForbiddenAddress(hostname), '', 0);
        }
        if (lookupOptions.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    };

  const plain = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(false) });
  const secure = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(true) });
  const trusted = buildConnector({ timeout: timeoutMs });

  return (target, callback) => {
    const isSecure = target.protocol === 'https:';
    const port = target.port || (isSecure ? '443' : '80');
    const mapped = connectTo.get(`${target.hostname}:${port}`);
    if (mapped)
      return trusted({ ...target, ...mapped, servername: target.servername ?? target.hostname }, callback);
    // A literal address is never looked up, so it is judged here.
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !mayReach(literal, isSecure))
      return callback(new ForbiddenAddress(target.hostname), null);
    return (isSecure ? secure : plain)(target, callback);
  };
}
