import { UnusableAnswer } from '@legate/service';
import type { Request } from 'express';
import { problem } from '../domain/problem-codes.ts';
import type { Session } from '../sessions/session-record.ts';
import type { FindSession } from '../sign-in/find-session.ts';
import type { UpstreamName } from './allowed.ts';

/** Headers that are forwarded unchanged */
const FORWARDED = [
  'accept',
  'content-type',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'legate-agent-id',
  'user-agent',
];
const NAMES: Record<UpstreamName, string> = { api: 'The management API', hub: 'The hub' };

const EXPORT = /^\/audit-events\/export(?:\?|$)/;

export type Upstreams = ReturnType<typeof createUpstreams>;

export interface UpstreamRequest {
  readonly upstream: UpstreamName;
  readonly method: string;
  /** The path below `/api/v1`, with its query */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls the services behind the console with the tokens of a session. */
export function createUpstreams(deps: {
  urls: Readonly<Record<UpstreamName, string>>;
  /** Follows no redirect, and passes on the trace of the request */
  fetch: typeof globalThis.fetch;
  /** Sends requests for exports, whose responses may be larger */
  exportFetch: typeof globalThis.fetch;
  renew: FindSession['renew'];
}) {
  async function send(request: UpstreamRequest, { record }: Session): Promise<Response> {
    const { accessToken, idToken } = record.tokens;
    const token = request.upstream === 'api' ? accessToken : idToken;
    const fetch = EXPORT.test(request.path) ? deps.exportFetch : deps.fetch;
    return fetch(`${deps.urls[request.upstream]}/api/v1${request.path}`, {
      method: request.method,
      headers: { ...request.headers, Authorization: `Bearer ${token}` },
      ...(request.body && { body: request.body }),
      ...(request.signal && { signal: request.signal }),
    }).catch((cause: unknown) => {
      if (cause instanceof UnusableAnswer)
        throw problem('service_answer_unusable', { cause, isExpected: true });
      const detail = `${NAMES[request.upstream]} does not answer.`;
      throw problem('service_unavailable', {
        detail,
        headers: { 'Retry-After': '5' },
        cause,
        isExpected: true,
      });
    });
  }

  return {
    /**
     * Sends a request. If its token is refused, renews the token and sends the request once more. Not if the
     * identity provider refuses a call of the hub: no renewed token changes that. @throws {Problem} 401, 502, 503
     */
    async ask(request: UpstreamRequest, session: Session): Promise<Response> {
      const answer = await send(request, session);
      if (answer.status !== 401 || session.record.tokens.refreshToken === undefined) return answer;
      const body = await answer.arrayBuffer();
      if (codeIn(body) === 'sign_in_required') return new Response(body, answer);
      return send(request, await deps.renew(session));
    },
  };
}

/** The code of a problem document */
function codeIn(body: ArrayBuffer): unknown {
  try {
    return Object(JSON.parse(Buffer.from(body).toString())).code;
  } catch {
    return undefined; // a page from a proxy in between
  }
}

/** The services need the browser's address for the audit trail and for limits per user. */
export function forwardedHeaders(req: Request): Record<string, string> {
  const sent = FORWARDED.flatMap((name) => {
    const value = req.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(sent), ...(req.ip !== undefined && { 'x-forwarded-for': req.ip }) };
}
