/** The position of a request in a trace: the contents of `traceparent` and `tracestate`. */
export interface TraceContext {
  /** 32 hex digits */
  readonly traceId: string;
  /** 16 hex digits: the parent of the spans to come */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** `tracestate`, which is passed on unchanged and never read */
  readonly state?: string | undefined;
}

/** W3C Trace Context §3.2.2: version, trace id, parent id, flags; later versions may add to it. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** §3.3.1.5 requires at least 512 characters; the limit prevents header bloat. */
const TRACESTATE = /^[\x20-\x7E\t]{1,512}$/;
const SAMPLED = 0x01;

/** @returns undefined if `traceparent` is invalid: then the request is in no trace of its caller (§4.3) */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, flags, added] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && added !== undefined) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  const state = typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? tracestate : undefined;
  return { traceId, spanId, isSampled, state };
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/**
 * Returns a new trace. It is not sampled: nobody records it, and its id only connects log lines.
 * @param uuid provides the randomness of its ids (§3.2.2.3): the UUID in the request's own id can be reused
 */
export function startTrace(uuid: string): TraceContext {
  const start = uuid.slice(0, 8) + uuid.slice(9, 13);
  const end = uuid.slice(24);
  return {
    traceId: start + uuid.slice(14, 18) + uuid.slice(19, 23) + end,
    spanId: end + uuid.slice(0, 4),
    isSampled: false,
  };
}
