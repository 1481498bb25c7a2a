import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { answeredStatus } from './answered-status.ts';
import type { Logger } from './logger.ts';
import { mountPath, routePattern } from './route-pattern.ts';
import { runInRequest } from './tracing/active-request.ts';
import { parseTraceContext, startTrace, type TraceContext } from './tracing/trace-context.ts';
import type { Span, Tracer } from './tracing/tracer.ts';

export const newRequestId = (): string => `req_${randomUUID()}`;

const CALLER_REQUEST_ID = /^[\w.-]{8,64}$/;

/** Asked every few seconds by machines: nothing to trace. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Gives every answer an `X-Request-Id` that this service made: a caller who could choose it could give a request the id of
 * another one in logs and audit events. A well-formed `X-Request-Id` of the caller is kept apart (`callerRequestIdOf`).
 * Everything that the request leads to knows the id, and the trace that it is in: the caller's, or a new one.
 */
export function requestContext(tracer?: Tracer): RequestHandler {
  return (req, res, next) => {
    const requestId = newRequestId();
    res.setHeader('X-Request-Id', requestId);
    const callerRequestId = req.headers['x-request-id'];
    if (typeof callerRequestId === 'string' && CALLER_REQUEST_ID.test(callerRequestId))
      res.locals.callerRequestId = callerRequestId;
    const callersTrace = parseTraceContext(req.headers.traceparent, req.headers.tracestate);
    res.locals.hasCallersTrace = callersTrace !== undefined;
    const span =
      tracer && !PROBES.has(req.path) ? startServerSpan(tracer, callersTrace, req, res) : undefined;
    const trace = span?.context ?? callersTrace ?? startTrace();
    const active = { requestId, trace, tracer: span && tracer };
    res.locals.trace = trace;
    runInRequest(active, () => next());
  };
}

function startServerSpan(
  tracer: Tracer,
  parent: TraceContext | undefined,
  req: Request,
  res: Response,
): Span {
  const span = tracer.start(req.method, {
    kind: 'server',
    parent,
    isParentRemote: true,
    attributes: { 'http.request.method': req.method },
  });
  res.once('close', () => {
    const pattern = routePattern(req);
    const route = pattern === undefined ? undefined : `${knownMountPath(req)}${pattern}`;
    if (route !== undefined) span.rename(`${req.method} ${route}`);
    span.set({ 'http.route': route, 'http.response.status_code': answeredStatus(res) });
    if (res.statusCode >= 500) span.fail(undefined);
    span.end();
  });
  return span;
}

/** Where our routers are mounted. It is what was asked for, not a pattern: below a parameter, an id would stand in it. */
const MOUNT_PATH = /^(?:\/(?:api|internal|v\d|oauth|admin|onboarding|interaction|docs))*$/;
function knownMountPath(req: Request): string {
  const path = mountPath(req);
  return MOUNT_PATH.test(path) ? path : '';
}

/** Returns the trace that a request is in. */
export const traceOf = (res: Response): TraceContext | undefined =>
  res.locals.trace as TraceContext | undefined;

/** Returns whether the caller chose that trace: its id is then a name that the caller gave, and may be given again. */
export const hasCallersTrace = (res: Response): boolean => res.locals.hasCallersTrace === true;

/** Returns the well-formed `X-Request-Id` that the caller sent: a name that the caller gave, and may give again. */
export const callerRequestIdOf = (res: Response): string | undefined =>
  res.locals.callerRequestId as string | undefined;

/** One line per answered request: method, path without query (it may hold codes), status, milliseconds. */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    if (!log.isLevelEnabled('info')) return next();
    const startedAt = performance.now();
    res.once('close', () => {
      log.info(
        {
          request_id: res.getHeader('X-Request-Id'),
          caller_request_id: callerRequestIdOf(res),
          trace_id: traceOf(res)?.traceId,
          method: req.method,
          path: req.originalUrl.split('?')[0],
          status: answeredStatus(res),
          aborted: !res.writableFinished || undefined,
          ms: Math.round((performance.now() - startedAt) * 100) / 100,
        },
        'request',
      );
    });
    next();
  };
}
