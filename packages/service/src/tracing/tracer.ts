import type { TraceContext } from './trace-context.ts';

/**
 * The permitted attributes of a span. Anything else is dropped: no token, header, query, path with ids, message or
 * caller-chosen name gets into a trace. Values are our own words, codes, host names and numbers.
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
  /** The trace context for its children, here or at a peer */
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; records only the type of an error. */
  fail(err: unknown): void;
  end(): void;
}

export interface SpanOptions {
  readonly kind: SpanKind;
  readonly parent: TraceContext | undefined;
  /** The parent is a remote span, so our own sampler decides. */
  readonly isParentRemote?: boolean;
  readonly attributes?: SpanAttributes;
}

export interface Tracer {
  /** @param name one of few different names: no ids */
  start(name: string, options: SpanOptions): Span;
  /** Sends the remaining spans; stops after two seconds, and never throws. */
  close(): Promise<void>;
}

const TYPE = /^[A-Za-z0-9_.]{1,64}$/;

/** Code or name of an error, if it looks like one: never its message, which may contain untrusted text. */
export function errorType(err: unknown): string {
  if (!(err instanceof Error)) return '_OTHER';
  const code = 'code' in err ? err.code : undefined;
  if (typeof code === 'string' && TYPE.test(code)) return code;
  return TYPE.test(err.name) ? err.name : '_OTHER';
}
