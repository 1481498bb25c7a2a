import { AsyncLocalStorage } from 'node:async_hooks';
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
const storage = new AsyncLocalStorage<ActiveRequest | undefined>();

export const activeRequest = (): ActiveRequest | undefined => storage.getStore();

/**
 * Runs `work`, and everything that it starts, within a request.
 * @param request undefined: within none, for work that another request merely happens to start
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
