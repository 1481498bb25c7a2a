import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { TraceContext } from './trace-context.ts';
import type { Span, SpanAttributes, SpanKind, Tracer } from './tracer.ts';

/** The request that runs here, wherever "here" is. */
export interface ActiveRequest {
  readonly requestId: string;
  /** The trace context sent to peers */
  readonly trace: TraceContext | undefined;
  /** It is a caller's word: whether to sample is then ours to decide. */
  readonly isTraceRemote?: boolean;
  /** Undefined: no spans are made; a trace is passed on all the same. */
  readonly tracer: Tracer | undefined;
}

/**
 * The one thing in these services that is not handed over by argument: a log line, and a request to a peer from deep within
 * a library, cannot be handed anything.
 */
const storage = new AsyncLocalStorage<ActiveRequest>();

/**
 * Before Node.js 24, remembering any request slows down every promise of the process, in a warm tool call by a tenth.
 * So the storage is disabled when the last request has ended, and a service may remember fewer.
 */
export const IS_CHEAP = Number.parseInt(process.versions.node, 10) >= 24;
let remembered = 0;

function remember(): () => void {
  remembered += 1;
  return () => {
    remembered -= 1;
    if (remembered === 0 && !IS_CHEAP) storage.disable();
  };
}

export const activeRequest = (): ActiveRequest | undefined => storage.getStore();

/** Runs `next` within a request, which all that follows remembers until the response is closed. */
export function runUntilClosed(res: ServerResponse, request: ActiveRequest, next: () => void): void {
  if (res.destroyed) {
    // The caller has left: no event would end the remembering.
    next();
    return;
  }
  res.once('close', remember());
  storage.run(request, next);
}

/** Runs `work` within a request, which is remembered until the work is done. */
export async function runInRequest<T>(
  request: ActiveRequest | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (request === undefined || storage.getStore() !== undefined) return work();
  const forget = remember();
  try {
    return await storage.run(request, work);
  } finally {
    forget();
  }
}

/** A callback for what calls it from elsewhere, as streams do: it runs in the request in which it was handed over. */
export function inThisRequest<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const active = storage.getStore();
  return active === undefined ? callback : (...args) => storage.run(active, callback, ...args);
}

/**
 * Runs `work` within a span, if tracing is on. An exception or rejection marks the span as failed and is passed on.
 * @param work gets the span, to record the outcome; undefined with tracing off
 */
export function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const active = storage.getStore();
  if (active?.tracer === undefined) return work(undefined);
  const { tracer, trace: parent, isTraceRemote: isParentRemote = false } = active;
  const span = tracer.start(name, { kind, parent, isParentRemote, attributes });
  const within = { ...active, trace: span.context, isTraceRemote: false };
  return storage.run(within, () => untilEnd(span, work));
}

async function untilEnd<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (err) {
    span.fail(err);
    throw err;
  } finally {
    span.end();
  }
}
