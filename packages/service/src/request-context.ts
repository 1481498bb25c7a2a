import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { answeredStatus } from './answered-status.ts';
import type { Logger } from './logger.ts';
import { mountPath, routePattern } from './route-pattern.ts';
import { type ActiveRequest, activeRequest, IS_CHEAP, runUntilClosed } from './tracing/active-request.ts';
import { parseTraceContext, startTrace, type TraceContext } from './tracing/trace-context.ts';
import type { Span, Tracer } from './tracing/tracer.ts';

declare global {
  namespace Express {
    interface Locals {
      request?: ActiveRequest;
      hasCallersTrace?: boolean;
      callerRequestId?: string;
    }
  }
}

const requestIdOf = (uuid: string): string => `req_${uuid}`;

export const newRequestId = (): string => requestIdOf(randomUUID());

const CALLER_REQUEST_ID = /^[\w.-]{8,64}$/;

/** Asked every few seconds by machines: nothing to trace. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Gives every answer an `X-Request-Id` that this service made: a caller who could choose it could give a request the id of
 * another one in logs and audit events. A well-formed `X-Request-Id` of the caller is kept apart (`callerRequestIdOf`).
 * Every request is in a trace: the caller's, or a new one (`requestOf`).
 * @param options.remembers `always`: log lines and requests to peers find the ids of the request that they belong to.
 * `in_spans`: only where spans are made, or where remembering is cheap; for a service that hands the ids on itself, and
 * remembers a request with `rememberRequest` or `runInRequest` where it does not. Default `always`
 */
export function requestContext(
  tracer?: Tracer,
  { remembers = 'always' }: { remembers?: 'always' | 'in_spans' } = {},
): RequestHandler {
  const isRemembered = remembers === 'always' || tracer !== undefined || IS_CHEAP;
  return (req, res, next) => {
    const uuid = randomUUID();
    const requestId = requestIdOf(uuid);
    res.setHeader('X-Request-Id', requestId);
    const callerRequestId = req.headers['x-request-id'];
    if (typeof callerRequestId === 'string' && CALLER_REQUEST_ID.test(callerRequestId))
      res.locals.callerRequestId = callerRequestId;
    const callersTrace = parseTraceContext(req.headers.traceparent, req.headers.tracestate);
    res.locals.hasCallersTrace = callersTrace !== undefined;
    const span =
      tracer && !PROBES.has(req.path) ? startServerSpan(tracer, callersTrace, req, res) : undefined;
    const trace = span?.context ?? callersTrace ?? startTrace(uuid);
    const request: ActiveRequest = { requestId, trace, tracer: span && tracer };
    res.locals.request = request;
    if (isRemembered) runUntilClosed(res, request, next);
    else next();
  };
}

/** In front of routes that do not hand the ids of their request on, in a service that remembers `in_spans`. */
export const rememberRequest: RequestHandler = (_req, res, next) => {
  const request = requestOf(res);
  if (request === undefined || activeRequest() !== undefined) next();
  else runUntilClosed(res, request, next);
};

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

/** Returns the ids of a request, and the trace that it is in. */
export const requestOf = (res: Response): ActiveRequest | undefined => res.locals.request;

/** Returns the trace that a request is in. */
export const traceOf = (res: Response): TraceContext | undefined => requestOf(res)?.trace;

/** Returns whether the caller chose that trace: its id is then a name that the caller gave, and may be given again. */
export const hasCallersTrace = (res: Response): boolean => res.locals.hasCallersTrace === true;

/** Returns the well-formed `X-Request-Id` that the caller sent: a name that the caller gave, and may give again. */
export const callerRequestIdOf = (res: Response): string | undefined => res.locals.callerRequestId;

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
