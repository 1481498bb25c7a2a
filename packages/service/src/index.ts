export { type BodyFault, collectBody, inOnePiece } from '@legate/bounded-body/node';
export {
  ForbiddenAddress,
  type HttpClient,
  isPublicAddress,
  isWithin,
  parseOutboundAllow,
  type TlsIdentity,
  UnusableAnswer,
} from '@legate/guarded-fetch';
export { commaSeparated } from './configuration/comma-separated.ts';
export {
  allowedOrigins,
  port,
  serviceEnvironment,
  sessionEnvironment,
  singleOrganization,
  succeeds,
} from './configuration/common.ts';
export { describeSettings, type Setting } from './configuration/description.ts';
export { identifierUrl, issuerUrl, resourceUrl } from './configuration/identifier-url.ts';
export { readJsonFile } from './configuration/json-file.ts';
export {
  clientSecretFaults,
  isDevelopmentSecret,
  isLoopbackHost,
  secretFault,
} from './configuration/production.ts';
export {
  ConfigError,
  parseEnvironment,
  readEnvironment,
} from './configuration/reading.ts';
export { SHARED_SETTINGS } from './configuration/shared-settings.ts';
export { createLogger, type Logger } from './logs/logger.ts';
export {
  accessLog,
  callerRequestIdOf,
  hasCallersTrace,
  requestContext,
  requestOf,
  traceOf,
} from './logs/request-context.ts';
export { parsedJsonBytes } from './memory/json-memory.ts';
export {
  createMemoryBudget,
  type MemoryBudget,
  type MemoryHold,
  type MemoryShare,
} from './memory/memory-budget.ts';
export {
  failingGauge,
  keySetReads,
  observedGauge,
  rateLimitDecisions,
  redisAccessGauge,
} from './metrics/common.ts';
export { Counter, createMetrics, Gauge, Histogram, type Metrics, Registry } from './metrics/metrics.ts';
export { userAgentOf, VERSION } from './metrics/version.ts';
export {
  isCertificateBundle,
  type ParsedClientCertificate,
  parseClientCertificate,
  UnusableCertificate,
} from './outbound/client-certificate.ts';
export { createHttpClient } from './outbound/http-client.ts';
export { isOfPeer, type Outage, readRetryAfter } from './outbound/outage.ts';
export { repeat } from './outbound/repeat.ts';
export { PAGE_STYLE } from './pages/page-style.ts';
export { type ServiceDescription, servicePages } from './pages/service-pages.ts';
export { createViews, createViewsIn, type Views } from './pages/views.ts';
export { isInvisible, isUnfitForName, shownAsName } from './pages/visible-text.ts';
export { ownWords } from './problems/own-words.ts';
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
} from './problems/problem.ts';
// Exported with a star, so that services can extend the interface in this module.
export * from './problems/problem-codes.ts';
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
} from './problems/validation.ts';
export { apiKeyHeader, isApiKey } from './server/api-key.ts';
export { endAnswer } from './server/end-answer.ts';
export { createHealth, type Health, type ReadinessCheck } from './server/health.ts';
export { createExpressApp, createHttpServer } from './server/http-server.ts';
export { mcpCors, type RebindingFault, rebindingGuard } from './server/mcp-browsers.ts';
export { runService, startOrExit } from './server/run-service.ts';
export { apiSecurityHeaders, consoleHeaders, pageSecurityHeaders } from './server/security-headers.ts';
export { cutUnreadAnswers } from './server/unread-answers.ts';
export { type ActiveRequest, activeRequest, inSpan, runInRequest } from './tracing/active-request.ts';
export { traceMcpMessage } from './tracing/mcp.ts';
export { openTracer } from './tracing/open-tracer.ts';
export { formatTraceparent, type TraceContext } from './tracing/trace-context.ts';
export type { Span, Tracer } from './tracing/tracer.ts';
