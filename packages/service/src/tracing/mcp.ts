import type { RequestHandler } from 'express';
import { inSpan, runInRequest } from './active-request.ts';
import { parseTraceContext, type TraceContext } from './trace-context.ts';

/** The known methods. Any other text comes from the caller, and must not become the name of a span. */
const METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'server/discover', 'tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'completion/complete'],
  ...['subscriptions/listen', 'logging/setLevel', 'notifications/initialized', 'notifications/cancelled'],
]);

/**
 * Mounted after the body parser of an MCP endpoint: creates a span for the message, as a child of the context in its
 * `_meta` if HTTP brought none. A header takes precedence, because proxies and logs have seen it.
 * @see MCP 2026-07-28, `_meta` keys `traceparent` and `tracestate`
 */
export const traceMcpMessage: RequestHandler = (req, res, next) => {
  const { request } = res.locals;
  const inMeta = res.locals.hasCallersTrace === true ? undefined : contextInMeta(req.body);
  if (inMeta !== undefined) res.locals.hasCallersTrace = true;
  if (request?.tracer === undefined) {
    if (request === undefined || inMeta === undefined) return next();
    const within = { ...request, trace: inMeta };
    res.locals.request = within;
    return runInRequest(within, next);
  }
  const method = methodOf(req.body);
  const serve = () =>
    inSpan(`mcp ${method}`, 'server', { 'mcp.method.name': method }, async (span) => {
      if (span) res.locals.request = { ...request, trace: span.context };
      next();
      await new Promise((resolve) => res.once('close', resolve));
    });
  if (inMeta === undefined) void serve();
  else void runInRequest({ ...request, trace: inMeta, isTraceRemote: true }, serve);
};

function contextInMeta(body: unknown): TraceContext | undefined {
  const meta = member(member(body, 'params'), '_meta');
  return parseTraceContext(member(meta, 'traceparent'), member(meta, 'tracestate'));
}

function methodOf(body: unknown): string {
  const method = member(body, 'method');
  return typeof method === 'string' && METHODS.has(method) ? method : 'other';
}

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
