import type { Config } from './config.ts';
import type { AppDependencies } from './wiring/app-dependencies.ts';

type AppSettings = Pick<
  AppDependencies,
  | 'publicUrl'
  | 'requireAgent'
  | 'oauthConnect'
  | 'trustedProxies'
  | 'allowedOrigins'
  | 'guardLimits'
  | 'discoveryTimeoutMs'
  | 'tokenTimeoutMs'
  | 'storeCommandTimeoutMs'
  | 'toolCallTimeoutMs'
  | 'listTimeoutMs'
  | 'toolResultMaxBytes'
>;

/** What the app takes from the configuration as it is, in its own units. */
export const appSettings = (config: Config): AppSettings => ({
  publicUrl: config.PUBLIC_URL,
  requireAgent: config.REQUIRE_AGENT,
  oauthConnect: {
    returnTo: config.CONNECT_RETURN_TO,
    ttlSeconds: config.CONNECTION_TTL_DAYS * 86_400,
  },
  trustedProxies: config.TRUSTED_PROXIES,
  allowedOrigins: config.ALLOWED_ORIGINS,
  guardLimits: {
    maxConcurrent: config.CONNECTOR_MAX_CONCURRENT,
    openSeconds: config.BREAKER_OPEN_SECONDS,
  },
  discoveryTimeoutMs: config.DISCOVERY_TIMEOUT_SECONDS * 1000,
  tokenTimeoutMs: config.TOKEN_TIMEOUT_SECONDS * 1000,
  storeCommandTimeoutMs: config.REDIS_COMMAND_TIMEOUT_MS,
  toolCallTimeoutMs: config.TOOL_CALL_TIMEOUT_SECONDS * 1000,
  listTimeoutMs: config.LIST_TIMEOUT_SECONDS * 1000,
  toolResultMaxBytes: config.TOOL_RESULT_MAX_BYTES,
});
