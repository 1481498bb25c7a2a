import { activeRequest, inSpan, type TraceContext } from '@legate/service/outbound';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpRequest } from './mcp-request.ts';

/**
 * Runs `call` with the trace context that is sent to the tool server: that of the current request, or of a span for the
 * call. The span of a refused call does not count as failed.
 */
export function withinTrace(
  { url }: { readonly url: string },
  method: McpRequest['method'],
  call: (trace: TraceContext | undefined) => Promise<McpAnswer>,
): Promise<McpAnswer> {
  const active = activeRequest();
  if (active?.tracer === undefined) return call(active?.trace);
  const attributes = { 'mcp.method.name': method, 'server.address': new URL(url).hostname };
  return inSpan(`mcp ${method}`, 'client', attributes, async (span) => {
    const answer = await call(span?.context);
    span?.set({ 'legate.outcome': answer.kind });
    if (answer.kind === 'unavailable' || answer.kind === 'unusable') span?.fail(undefined);
    return answer;
  });
}
