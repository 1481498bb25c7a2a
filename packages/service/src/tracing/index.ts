export {
  type ActiveRequest,
  activeRequest,
  IS_CHEAP,
  inSpan,
  inThisRequest,
  runInRequest,
  runUntilClosed,
} from './active-request.ts';
export { traceMcpMessage } from './mcp.ts';
export { openTracer } from './open-tracer.ts';
export { type TracingSettings, tracingEnvironment } from './settings.ts';
export { formatTraceparent, parseTraceContext, type TraceContext } from './trace-context.ts';
export type { Span, SpanAttributes, Tracer } from './tracer.ts';
