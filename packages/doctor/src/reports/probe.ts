import { causesOf } from '@legate/guarded-fetch';

/** Ways in which a request can fail without a response. */
export type Fault = 'url' | 'name' | 'connection' | 'tls' | 'time' | 'forbidden' | 'redirect' | 'size';

export type Probed =
  | {
      readonly kind: 'answered';
      readonly url: string;
      readonly status: number;
      readonly headers: Headers;
      readonly text: string;
    }
  | { readonly kind: 'failed'; readonly url: string; readonly fault: Fault; readonly code: string };

/** Sends one request. It never rejects: a failure is a result. */
export type Probe = (url: string, init?: RequestInit) => Promise<Probed>;

/** How many seconds a peer's clock is ahead, according to its `Date` header, which has whole seconds. */
export interface Skew {
  readonly origin: string;
  readonly seconds: number;
}

/**
 * @param deps.fetch of the guarded client: no redirects, limited time and size, only permitted addresses
 * @param deps.signal cancels the whole examination
 * @param deps.onSkew called for every response of an origin server that has a date
 */
export function createProbe(deps: {
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  signal: AbortSignal;
  onSkew: (skew: Skew) => void;
}): Probe {
  return async (url, init = {}) => {
    if (!isHttpUrl(url)) return { kind: 'failed', url, fault: 'url', code: 'not an http URL' };
    const askedAt = deps.clock().getTime();
    try {
      const answer = await deps.fetch(url, { ...init, signal: deps.signal });
      const midwayMs = (askedAt + deps.clock().getTime()) / 2;
      const dateMs = Date.parse(answer.headers.get('date') ?? '');
      // With `Age`, the response comes from a cache, so its date is old.
      if (Number.isFinite(dateMs) && !answer.headers.has('age'))
        deps.onSkew({ origin: new URL(url).origin, seconds: Math.round((dateMs + 500 - midwayMs) / 1000) });
      return {
        kind: 'answered',
        url,
        status: answer.status,
        headers: answer.headers,
        text: await answer.text(),
      };
    } catch (err) {
      return { kind: 'failed', url, ...faultOf(err) };
    }
  };
}

export const isHttpUrl = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

/** Says why a request got no response. */
export function faultOf(err: unknown): { fault: Fault; code: string } {
  const chain = causesOf(err);
  if (chain.some(({ name }) => name === 'TimeoutError' || name === 'ConnectTimeoutError'))
    return { fault: 'time', code: 'ETIMEDOUT' };
  const code = chain.map((link) => link.code).find((value) => typeof value === 'string') ?? 'network';
  if (code === 'ERR_UNUSABLE_ANSWER') {
    const status = Number(chain[0]?.status);
    return { fault: status >= 300 && status < 400 ? 'redirect' : 'size', code: String(status) };
  }
  if (code === 'ERR_FORBIDDEN_ADDRESS') return { fault: 'forbidden', code };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { fault: 'name', code };
  return { fault: TLS_CODE.test(code) ? 'tls' : 'connection', code };
}

/** Description and remedy for each failure without a response */
export const FAULTS: Readonly<Record<Fault, readonly [detail: string, remedy: string]>> = {
  url: ['is not an http or https URL', 'Correct the URL.'],
  name: [
    'has a host name that cannot be resolved',
    'Check the host name, and that DNS resolves it from here.',
  ],
  connection: [
    'cannot be connected to',
    'Check that the server is running, that the port is right, and that no firewall is in between.',
  ],
  tls: [
    'fails the TLS handshake',
    'Serve a certificate of a well-known CA for this host name that has not expired, with its intermediate certificates.',
  ],
  time: [
    'does not respond in time',
    'Find out what the server is waiting for. It should return metadata at once.',
  ],
  forbidden: [
    'is at an address to which requests are not allowed',
    'Use a public address over https. The operator of the hub can allow others with OUTBOUND_ALLOW.',
  ],
  redirect: [
    'redirects, and redirects are not followed',
    'Respond at this URL itself, or use the URL that it redirects to.',
  ],
  size: ['returns a response that is too large', 'Keep the response below 64 KiB.'],
};
