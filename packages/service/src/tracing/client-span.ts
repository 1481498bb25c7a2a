import { activeRequest, inSpan } from './active-request.ts';
import { formatTraceparent, type TraceContext } from './trace-context.ts';

type Fetch = typeof globalThis.fetch;

/**
 * `fetch` that sends the trace context and the id of the current request to peers, so that logs can be correlated, and
 * creates a span if tracing is on. Outside a request it sends neither header. `baggage` is never passed on: callers may
 * put anything into it.
 */
export function traced(fetch: Fetch): Fetch {
  return (input, init) => {
    const active = activeRequest();
    if (active?.trace === undefined) return fetch(input, init);
    if (active.tracer === undefined)
      return fetch(input, withTrace(active.trace, active.requestId, input, init));
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const attributes = { 'http.request.method': method, ...serverOf(input) };
    return inSpan(method, 'client', attributes, async (span) => {
      const answer = await fetch(input, span ? withTrace(span.context, active.requestId, input, init) : init);
      span?.set({ 'http.response.status_code': answer.status });
      if (answer.status >= 500) span?.fail(undefined);
      return answer;
    });
  };
}

function withTrace(
  trace: TraceContext,
  requestId: string,
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
): RequestInit {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('x-request-id', requestId);
  headers.set('traceparent', formatTraceparent(trace));
  if (trace.state !== undefined) headers.set('tracestate', trace.state);
  return { ...init, headers };
}

/** Host and port: the rest of a URL may contain codes and ids. */
export function serverOf(input: Parameters<Fetch>[0]) {
  const url = input instanceof Request ? input.url : String(input);
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return {
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}
