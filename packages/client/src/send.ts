import { unlessAborted } from '@legate/single-flight';
import type { Bearer } from './bearer.ts';
import type { Failure, Unavailable } from './outcome.ts';
import { isObject, readJson, stringOf } from './wire.ts';

export interface HubRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** True if the response may be a stream, which is read as it arrives. */
  readonly isStreamed?: boolean;
}

/** Sends a request to the hub as the user. A 401 for a token that can be renewed is handled here, not returned. */
export type Send = (path: string, request: HubRequest) => Promise<Response | Failure>;

export interface SendOptions {
  readonly hub: string;
  readonly agentId: string | undefined;
  readonly fetch: typeof fetch;
}

export function createSend(options: SendOptions, bearer: Bearer): Send {
  return (path, { method, body, headers, signal, isStreamed = false }) =>
    authenticated(bearer, signal, (token) =>
      attempt(isStreamed ? options.fetch : readWhole(options.fetch), options.hub, path, {
        method,
        headers: { Accept: 'application/json', ...headers, ...ownHeaders(options, token, body) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        ...(signal && { signal }),
      }),
    );
}

const ownHeaders = ({ agentId }: SendOptions, token: string, body: unknown): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...(agentId !== undefined && { 'Legate-Agent-Id': agentId }),
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
});

/**
 * Sends a request with a token, and again with another token if the hub reports that the first has expired.
 * @throws the reason of an aborted signal
 */
export async function authenticated(
  bearer: Bearer,
  signal: AbortSignal | undefined,
  sendBy: (token: string) => Promise<Response | Failure>,
): Promise<Response | Failure> {
  const token = await unlessAborted(bearer.current(), signal);
  if (typeof token !== 'string') return token;
  const response = await sendBy(token);
  if (!(response instanceof Response) || !(await isOver(response))) return response;
  const renewed = await unlessAborted(bearer.renew(token), signal);
  if (renewed === undefined) return response;
  return typeof renewed === 'string' ? sendBy(renewed) : renewed;
}

/** Reads the body too, because the connection may be closed before it is complete. */
const readWhole =
  (send: typeof fetch): typeof fetch =>
  async (...request) => {
    const response = await send(...request);
    const { status, headers } = response;
    return new Response(response.body && (await response.text()), { status, headers });
  };

/** @throws the reason of an aborted signal */
async function attempt(
  send: typeof fetch,
  hub: string,
  path: string,
  init: RequestInit,
): Promise<Response | Failure> {
  try {
    return await send(`${hub}${path}`, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    return unreachable(hub, cause);
  }
}

/** Reports the hub's address, which is public (`PUBLIC_URL`), and the code of a network error, such as ECONNREFUSED. */
export function unreachable(hub: string, cause: unknown): Unavailable {
  const code = codeOf(cause);
  const text = `The hub at ${hub} cannot be reached, or the connection was lost`;
  return unavailable('network', code === undefined ? `${text}.` : `${text}: ${code}.`, cause);
}

/** `fetch` of Node.js throws an error that has the error with the code as its cause. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && isObject(error.cause) ? stringOf(error.cause.code) : undefined;

export const unavailable = (
  code: 'network' | 'answer_unreadable',
  detail: string,
  cause: unknown,
): Unavailable => ({
  kind: 'unavailable',
  code,
  rawCode: undefined,
  detail,
  callId: undefined,
  hints: [],
  retryAfterSeconds: undefined,
  cause,
});

/** Reads the reason of a 401, from a problem or from an error of MCP. */
async function isOver(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body = await readJson(response.clone());
  const error = isObject(body) && isObject(body.error) ? body.error.data : body;
  if (!isObject(error)) return false;
  if (error.reason === 'expired') return true;
  // A call is not repeated if its session ended while it ran: the tool may have run.
  const hasRun = error.code === 'session_ended' && response.headers.has('Legate-Call-Id');
  return error.reason === 'session_ended' && !hasRun;
}
