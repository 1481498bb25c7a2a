import type { Logger } from 'pino';
import type { TracingSettings } from './settings.ts';
import type { Tracer } from './tracer.ts';

/**
 * The tracer of a service; undefined where no endpoint is set, and then nothing of OpenTelemetry's SDK is loaded.
 * @param service its name in traces, unless `OTEL_SERVICE_NAME` is set
 */
export async function openTracer(
  service: string,
  settings: TracingSettings,
  deps: { log: Logger },
): Promise<Tracer | undefined> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  return createOtlpTracer({
    service: settings.OTEL_SERVICE_NAME ?? service,
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    log: deps.log,
  });
}
