import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  createTraceState,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TraceContext } from './trace-context.ts';
import {
  ATTRIBUTE_NAMES,
  errorType,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type Tracer,
} from './tracer.ts';

const KINDS: Readonly<Record<SpanKind, OtelSpanKind>> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

/** Time limit of one export; meanwhile spans are queued up to a limit, and dropped beyond it. */
const EXPORT_TIMEOUT_MS = 5000;
/** Time limit of closing, within the time that a service has to release its stores */
const CLOSE_MS = 2000;

/** Spans by OTLP over HTTP, sent in batches behind the requests. No global of OpenTelemetry's is set. */
export function createOtlpTracer(options: {
  service: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  ratio: number;
  log: Logger;
  /** Time limit of one export, with its retries. Default 5000 */
  exportTimeoutMs?: number;
}): Tracer {
  const { service, url, headers, exportTimeoutMs = EXPORT_TIMEOUT_MS } = options;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: exportTimeoutMs });
  return createTracer({
    service,
    sampler: samplerOf(options.ratio),
    exporter: loggingFailures(exporter, options.log),
  });
}

export function createTracer(deps: { service: string; sampler: Sampler; exporter: SpanExporter }): Tracer {
  const processor = new BatchSpanProcessor({
    exporter: deps.exporter,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    sampler: deps.sampler,
    resource: resourceFromAttributes({ 'service.name': deps.service, 'service.namespace': 'legate' }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('legate');
  return {
    start(name, { kind, parent, isParentRemote = false, attributes = {} }) {
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, toOtel(parent, isParentRemote))
        : ROOT_CONTEXT;
      return wrap(
        tracer.startSpan(name, { kind: KINDS[kind], attributes: allowed(attributes) }, context),
        parent,
      );
    },
    async close() {
      await Promise.race([provider.shutdown(), delay(CLOSE_MS, undefined, { ref: false })]).catch(
        () => undefined,
      );
    },
  };
}

function wrap(span: OtelSpan, parent: TraceContext | undefined): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    context: {
      traceId,
      spanId,
      isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
      state: parent?.state,
    },
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(allowed(attributes)),
    fail(err) {
      span.setAttribute('error.type', errorType(err));
      span.setStatus({ code: SpanStatusCode.ERROR }); // without a message, because peers may have written it
    },
    end: () => span.end(),
  };
}

const toOtel = ({ traceId, spanId, isSampled, state }: TraceContext, isRemote: boolean) => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote,
  ...(state !== undefined && { traceState: createTraceState(state) }),
});

const ALLOWED: ReadonlySet<string> = new Set(ATTRIBUTE_NAMES);
const MAX_LENGTH = 200;

function allowed(attributes: SpanAttributes): Attributes {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (!ALLOWED.has(name) || value === undefined) continue;
    kept[name] = typeof value === 'string' ? value.slice(0, MAX_LENGTH) : value;
  }
  return kept;
}

/**
 * Treats the sampled flag of a caller's `traceparent` as a hint: "not sampled" is honoured, but our own sampler decides
 * whether a trace is kept, or any stranger could have all of their requests traced.
 */
export function samplerOf(ratio: number): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return new ParentBasedSampler({ root, remoteParentSampled: root });
}

/**
 * Logs once when exports begin to fail and once when they recover: nothing waits for traces, and a flood of log lines
 * helps nobody.
 */
function loggingFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0; // ExportResultCode.SUCCESS
        if (hasFailed && !isFailing)
          log.warn({ reason: errorType(result.error) }, 'traces cannot be sent, and are lost');
        if (!hasFailed && isFailing) log.info('traces are sent again');
        isFailing = hasFailed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
