import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';

/** A span as it was exported, with the service that made it. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface TraceCollector {
  /** Value of `OTEL_EXPORTER_OTLP_ENDPOINT` */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything received, as text */
  readonly text: () => string;
  close(): Promise<void>;
}

const Attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])));
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: Attributes,
            }),
          ),
        }),
      ),
    }),
  ),
});

/** Receives traces by OTLP over HTTP as JSON (OTLP 1.x, `ExportTraceServiceRequest`). */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    bodies.push(body);
    for (const { resource, scopeSpans } of Export.parse(JSON.parse(body)).resourceSpans) {
      const service = String(resource.attributes['service.name']);
      for (const scope of scopeSpans)
        for (const span of scope.spans)
          spans.push({ ...span, service, parentSpanId: span.parentSpanId || undefined });
    }
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the collector does not listen');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    text: () => bodies.join('\n'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
