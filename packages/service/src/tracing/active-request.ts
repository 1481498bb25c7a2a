import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from './trace-context.ts';
import type { Span, SpanAttributes, SpanKind, Tracer } from './tracer.ts';

/** The request in whose asynchronous context the code runs. */
export interface ActiveRequest {
  readonly requestId: string;
  /** The trace context sent to peers */
  readonly trace: TraceContext | undefined;
  /** True if the trace comes from a caller: our own sampler then decides. */
  readonly isTraceRemote?: boolean;
  /** Undefined: no spans are created, but traces are passed on. */
  readonly tracer: Tracer | undefined;
}

/**
 * The only value in these services that is not passed as an argument: log lines, and requests that a library sends,
 * cannot get it as one.
 */
const storage = new AsyncLocalStorage<ActiveRequest | undefined>();

export const activeRequest = (): ActiveRequest | undefined => storage.getStore();

/**
 * Runs `work`, and everything that it starts, within a request.
 * @param request undefined: outside of any request, for work that a request happens to start
 */
export const runInRequest = <T>(request: ActiveRequest | undefined, work: () => T): T =>
  storage.run(request, work);

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
