import { ApiProblem, endsSession, shutsOut } from './problem.ts';
import { type Rate, rateOf } from './rate.ts';

export type QueryValue = string | number | boolean | undefined;

export interface Send {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** The `ETag` of the version to change */
  readonly ifMatch?: string | undefined;
  /** True: creates the resource, and does not replace one that exists */
  readonly ifAbsent?: boolean;
  /** Idempotency-Key: a POST that is sent twice takes effect once */
  readonly idempotencyKey?: string;
  /** The agent that a tool call goes through */
  readonly agentId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  readonly data: T;
  readonly etag: string | undefined;
  readonly headers: Headers;
}

export interface ApiOptions {
  readonly fetch: typeof fetch;
  /** Called when the session has ended */
  onSignedOut(): void;
  /** Called when all access has ended: the member was removed, or the organization is suspended or deleted */
  onShutOut(problem: ApiProblem): void;
  readonly titles: { readonly unreachable: string; readonly unexpected: string };
}

const KEPT_AT_MOST = 200;

/**
 * Sends requests to the backend of the console, which adds the user's tokens. Caches responses with their
 * `ETag`, so that an unchanged resource is not downloaded again. Rejects with an `ApiProblem`.
 */
export function createApi({ fetch, onSignedOut, onShutOut, titles }: ApiOptions) {
  const kept = new Map<string, { readonly etag: string; readonly data: unknown }>();
  let rate: Rate | undefined;

  async function send<T>(path: string, options: Send = {}): Promise<Answer<T>> {
    const address = withQuery(path, options.query);
    const method = options.method ?? 'GET';
    const known = method === 'GET' ? kept.get(address) : undefined;
    const response = await fetch(address, {
      method,
      headers: headersOf(options, known?.etag),
      credentials: 'same-origin',
      redirect: 'error',
      signal: options.signal ?? null,
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    }).catch((error: unknown) => {
      if (options.signal?.aborted) throw error;
      throw new ApiProblem(0, { code: 'unreachable' }, new Headers(), titles.unreachable);
    });
    rate = rateOf(response.headers) ?? rate;
    const etag = response.headers.get('etag') ?? undefined;
    if (response.status === 304 && known)
      return { data: known.data as T, etag: known.etag, headers: response.headers };
    const data = await parse(response);
    if (!response.ok) throw refusal(response, data);
    if (method !== 'GET') kept.clear();
    else if (etag !== undefined) keep(address, etag, data);
    return { data: data as T, etag, headers: response.headers };
  }

  function keep(address: string, etag: string, data: unknown): void {
    kept.delete(address);
    kept.set(address, { etag, data });
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_AT_MOST) break;
      kept.delete(oldest);
    }
  }

  function refusal(response: Response, data: unknown): ApiProblem {
    const document = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
    const problem = new ApiProblem(response.status, document, response.headers, titles.unexpected);
    if (endsSession(problem)) onSignedOut();
    if (shutsOut(problem)) onShutOut(problem);
    return problem;
  }

  return {
    send,
    get: async <T>(path: string, options?: Send): Promise<T> => (await send<T>(path, options)).data,
    rate: () => rate,
  };
}

export type Api = ReturnType<typeof createApi>;

function headersOf(
  { body, ifMatch, ifAbsent, idempotencyKey, agentId }: Send,
  knownEtag: string | undefined,
) {
  const headers = new Headers({
    'Legate-Console': '1',
    Accept: 'application/json, application/problem+json',
  });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (knownEtag !== undefined) headers.set('If-None-Match', knownEtag);
  if (ifAbsent) headers.set('If-None-Match', '*');
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  if (agentId !== undefined) headers.set('Legate-Agent-Id', agentId);
  return headers;
}

function withQuery(path: string, query: Send['query']): string {
  const parameters = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  if (parameters.length === 0) return path;
  return `${path}?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
}

async function parse(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page from a proxy in between; its status is enough
  }
}
