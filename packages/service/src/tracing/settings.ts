import { z } from 'zod';

/** `a=b,c=d`, percent-encoded values (W3C Baggage, as OpenTelemetry specifies); names are compared in lower case. */
const headers = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const entries = pairs.map((pair) => /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair));
  try {
    if (entries.every((entry) => entry !== null))
      return Object.fromEntries(
        entries.map(([, name = '', value = '']) => [name.toLowerCase(), decodeURIComponent(value)]),
      );
  } catch {
    // reported below, without the value, which is a secret
  }
  context.addIssue({ code: 'custom', message: 'must be name=value pairs, separated by commas' });
  return z.NEVER;
});

/** Settings with OpenTelemetry's names and meanings; without the first one, the others have no effect. */
export const tracingEnvironment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
    .optional()
    .meta({
      description:
        'Collector that receives the traces, by OTLP over HTTP as JSON; `/v1/traces` is appended. Unset: no traces.',
      when: 'Operators with a trace collector.',
      example: 'http://traces:4318',
    }),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional().meta({
    description: 'Headers of requests to the collector, as `name=value` pairs separated by commas.',
    when: 'Operators whose collector asks for credentials.',
    example: 'authorization=Basic%20…',
    secret: true,
  }),
  OTEL_SERVICE_NAME: z.string().min(1).optional().meta({
    description: 'Name of the service in traces. Unset: the name of the app.',
    when: 'Operators with several deployments in one trace store.',
  }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).meta({
    description:
      'Share of traces that is kept, from 0 to 1 (the sampler is `parentbased_traceidratio`). A caller can ask for fewer, but not for more. Use the same value for all services, or traces have gaps.',
    when: 'Operators with too much traffic to keep every trace.',
    example: '0.05',
  }),
};

export type TracingSettings = Readonly<z.output<z.ZodObject<typeof tracingEnvironment>>>;
