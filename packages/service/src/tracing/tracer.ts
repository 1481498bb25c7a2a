import type { TraceContext } from './trace-context.ts';

/**
 * All that a span may say. Anything else is dropped: no token, header, query, path with ids in it, message or name that a
 * caller chose gets into a trace. Values are our own words, codes, host names and numbers.
 */
export const ATTRIBUTE_NAMES = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'server.address',
  'server.port',
  'error.type',
  'mcp.method.name',
  'db.system.name',
  'db.operation.name',
  'legate.outcome',
  'legate.method',
] as const;

export type AttributeName = (typeof ATTRIBUTE_NAMES)[number];
export type SpanAttributes = Readonly<Partial<Record<AttributeName, string | number | undefined>>>;
export type SpanKind = 'server' | 'client' | 'internal';

export interface Span {
  /** What its children, here or at a peer, are told */
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** It failed; of an error only its type is told. */
  fail(err: unknown): void;
  end(): void;
}

export interface SpanOptions {
  readonly kind: SpanKind;
  readonly parent: TraceContext | undefined;
  /** The parent is somebody else's: whether to sample is then ours to decide. */
  readonly isParentRemote?: boolean;
  readonly attributes?: SpanAttributes;
}

export interface Tracer {
  /** @param name of few different ones: no ids */
  start(name: string, options: SpanOptions): Span;
  /** Sends what is still to be sent; gives up after two seconds, and never throws. */
  close(): Promise<void>;
}

const TYPE = /^[A-Za-z0-9_.]{1,64}$/;

/** Code or name of an error, where it looks like one: never its message, which may hold what somebody else wrote. */
export function errorType(err: unknown): string {
  if (!(err instanceof Error)) return '_OTHER';
  const code = 'code' in err ? err.code : undefined;
  if (typeof code === 'string' && TYPE.test(code)) return code;
  return TYPE.test(err.name) ? err.name : '_OTHER';
}
