// What requests to peers need, without Express: packages used outside of services import this entry point.
export { isFragmented } from '@legate/bounded-body';
export { ByteCollector } from '@legate/bounded-body/node';
export type { HttpClient } from '@legate/guarded-fetch';
export { isLoopbackHost } from './config-production.ts';
export { identifierUrl, issuerUrl, resourceUrl } from './identifier-url.ts';
export { parsedJsonBytes } from './json-memory.ts';
export type { Logger } from './logger.ts';
export type { MemoryHold } from './memory-budget.ts';
export { isOfPeer, type Outage, readRetryAfter } from './outage.ts';
export {
  formActionOf,
  normalizeRedirectUri,
  type RedirectTarget,
  redirectHostOf,
  redirectTargetOf,
  usableRedirectUris,
} from './redirect-uris.ts';
export { type ActiveRequest, activeRequest, inSpan, runInRequest } from './tracing/active-request.ts';
export { formatTraceparent, type TraceContext } from './tracing/trace-context.ts';
