export { type BodyFault, collectBody, inOnePiece } from '@legate/bounded-body/node';
export {
  ForbiddenAddress,
  type HttpClient,
  isPublicAddress,
  isWithin,
  limitTime,
  parseOutboundAllow,
  type TlsIdentity,
  UnusableAnswer,
} from '@legate/guarded-fetch';
export { apiKeyHeader, isApiKey } from './api-key.ts';
export {
  isCertificateBundle,
  type ParsedClientCertificate,
  parseClientCertificate,
  UnusableCertificate,
} from './client-certificate.ts';
export { commaSeparated } from './comma-separated.ts';
export {
  allowedOrigins,
  port,
  serviceEnvironment,
  sessionEnvironment,
  singleOrganization,
  succeeds,
} from './config.ts';
export { describeSettings, type Setting } from './config-description.ts';
export { isDevelopmentSecret, isLoopbackHost } from './config-production.ts';
export {
  ConfigError,
  parseEnvironment,
  readEnvironment,
} from './config-reading.ts';
export { createHealth, type Health, type ReadinessCheck } from './health.ts';
export { createHttpClient } from './http-client.ts';
export { createExpressApp, createHttpServer } from './http-server.ts';
export { identifierUrl, issuerUrl, resourceUrl } from './identifier-url.ts';
export { readJsonFile } from './json-file.ts';
export { parsedJsonBytes } from './json-memory.ts';
export { createLogger, type Logger } from './logger.ts';
export { mcpCors, type RebindingFault, rebindingGuard } from './mcp-browsers.ts';
export { createMemoryBudget, type MemoryBudget, type MemoryHold, type MemoryShare } from './memory-budget.ts';
export { Counter, createMetrics, Gauge, Histogram, type Metrics, Registry } from './metrics.ts';
export {
  failingGauge,
  keySetReads,
  observedGauge,
  rateLimitDecisions,
  redisAccessGauge,
} from './metrics-common.ts';
export { isOfPeer, type Outage, readRetryAfter } from './outage.ts';
export { ownWords } from './own-words.ts';
export { PAGE_STYLE } from './page-style.ts';
export {
  type FieldProblem,
  methodNotAllowed,
  notFound,
  Problem,
  type ProblemOptions,
  pastProblem,
  problemHandler,
  problemsOf,
  reasonOf,
  unmatchedRoute,
  withMembers,
} from './problem.ts';
// With a star: services extend the interface in it.
export * from './problem-codes.ts';
export { repeat } from './repeat.ts';
export {
  accessLog,
  callerRequestIdOf,
  hasCallersTrace,
  requestContext,
  requestOf,
  traceOf,
} from './request-context.ts';
export { runService, startOrExit } from './run-service.ts';
export { apiSecurityHeaders, consoleHeaders, pageSecurityHeaders } from './security-headers.ts';
export { type ServiceDescription, servicePages } from './service-pages.ts';
export { SHARED_SETTINGS } from './shared-settings.ts';
export { type ActiveRequest, activeRequest, inSpan, runInRequest } from './tracing/active-request.ts';
export { traceMcpMessage } from './tracing/mcp.ts';
export { openTracer } from './tracing/open-tracer.ts';
export { formatTraceparent, type TraceContext } from './tracing/trace-context.ts';
export type { Span, Tracer } from './tracing/tracer.ts';
export { cutUnreadAnswers } from './unread-answers.ts';
export {
  bodyProblems,
  FIELD_CODES,
  type FieldCode,
  NoQuery,
  parseBody,
  parseQuery,
  toPointer,
  VALIDATION_PROBLEMS,
  validationFailed,
} from './validation.ts';
export { userAgentOf, VERSION } from './version.ts';
export { createViews, createViewsIn, type Views } from './views.ts';
export { isInvisible, isUnfitForName, shownAsName } from './visible-text.ts';
