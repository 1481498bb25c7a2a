export { apiKeyHeader, isApiKey } from './api-key.ts';
export {
  isCertificateBundle,
  type ParsedClientCertificate,
  parseClientCertificate,
  UnusableCertificate,
} from './client-certificate.ts';
export {
  browserOrigin,
  ConfigError,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  parseEnvironment,
  port,
  serviceEnvironment,
} from './config.ts';
export { ForbiddenAddress, type TlsIdentity } from './guarded-connector.ts';
export { createHealth, type Health, type ReadinessCheck } from './health.ts';
export { createHttpClient, type HttpClient, UnusableAnswer } from './http-client.ts';
export { createExpressApp, createHttpServer } from './http-server.ts';
export { readJsonFile } from './json-file.ts';
export { createLogger, type Logger } from './logger.ts';
export { Counter, createMetrics, Gauge, Histogram, type Metrics, Registry } from './metrics.ts';
export { isPublicAddress, isWithin, parseOutboundAllow } from './outbound-rules.ts';
export {
  type FieldProblem,
  methodNotAllowed,
  notFound,
  Problem,
  problemHandler,
  unmatchedRoute,
} from './problem.ts';
export { accessLog, requestId } from './request-context.ts';
export { runService, startOrExit } from './run-service.ts';
export { apiSecurityHeaders, pageSecurityHeaders } from './security-headers.ts';
