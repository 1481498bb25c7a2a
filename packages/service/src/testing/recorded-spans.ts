import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { createTracer, samplerOf } from '../tracing/otlp-tracer.ts';
import type { Tracer } from '../tracing/tracer.ts';

export interface RecordedSpans {
  readonly tracer: Tracer;
  /** Ends the recording. The spans come in the order in which they ended. */
  read(): Promise<readonly ReadableSpan[]>;
}

/** A tracer whose spans stay in memory. */
export function recordSpans(ratio = 1): RecordedSpans {
  const recorded: ReadableSpan[] = [];
  const tracer = createTracer({
    service: 'test',
    sampler: samplerOf(ratio),
    exporter: {
      export(spans, done) {
        recorded.push(...spans);
        done({ code: 0 });
      },
      shutdown: async () => undefined,
    },
  });
  return {
    tracer,
    async read() {
      await tracer.close();
      return recorded;
    },
  };
}
