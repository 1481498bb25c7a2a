// What requests to peers need, without Express: packages used outside of services import this entry point.
export { isFragmented } from '@legate/bounded-body';
export { ByteCollector } from '@legate/bounded-body/node';
export type { HttpClient } from '@legate/guarded-fetch';
export { identifierUrl, issuerUrl, resourceUrl } from './configuration/identifier-url.ts';
export { isLoopbackHost } from './configuration/production.ts';
export {
  formActionOf,
  normalizeRedirectUri,
  type RedirectTarget,
  redirectHostOf,
  redirectTargetOf,
  usableRedirectUris,
} from './configuration/redirect-uris.ts';
export type { Logger } from './logs/logger.ts';
export { parsedJsonBytes } from './memory/json-memory.ts';
export type { MemoryHold } from './memory/memory-budget.ts';
export { isOfPeer, type Outage, readRetryAfter } from './outbound/outage.ts';
export { type ActiveRequest, activeRequest, inSpan, runInRequest } from './tracing/active-request.ts';
export { formatTraceparent, type TraceContext } from './tracing/trace-context.ts';
