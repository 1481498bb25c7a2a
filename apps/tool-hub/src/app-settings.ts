import type { Config } from './config.ts';
import { PEER_TIMEOUT_MS } from './platform/outbound.ts';
import type { AppDependencies } from './wiring/app-dependencies.ts';

type AppSettings = Pick<
  AppDependencies,
  | 'clientKeys'
  | 'subjectTokenType'
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

/** A connector that holds this many requests hangs, and must not take the process with it (docs/adr/0044). */
const CONNECTOR_MAX_CONCURRENT = 500;
/** Long enough for a tool server to restart, and no longer than an agent's second attempt comes later */
const BREAKER_OPEN_SECONDS = 10;
/** For one connector's part of a list: an agent waits for all of them, and goes without those that are slow. */
const LIST_TIMEOUT_MS = 5000;
/** Far more than a model can read. Each byte counts twice against the share of its user (docs/adr/0041). */
const TOOL_RESULT_MAX_BYTES = 4_194_304;

/** Converts the configuration to the app's settings, in the app's units, and adds the fixed ones. */
export const appSettings = (config: Config): AppSettings => ({
  clientKeys: config.IDP_CLIENT_KEYS,
  subjectTokenType: config.IDP_SUBJECT_TOKEN_TYPE,
  requireAgent: config.REQUIRE_AGENT,
  oauthConnect: {
    returnTo: config.CONNECT_RETURN_TO,
    ttlSeconds: config.CONNECTION_TTL_DAYS * 86_400,
  },
  trustedProxies: config.TRUSTED_PROXIES,
  allowedOrigins: config.ALLOWED_ORIGINS,
  guardLimits: {
    maxConcurrent: CONNECTOR_MAX_CONCURRENT,
    openSeconds: BREAKER_OPEN_SECONDS,
  },
  discoveryTimeoutMs: PEER_TIMEOUT_MS,
  tokenTimeoutMs: PEER_TIMEOUT_MS,
  storeCommandTimeoutMs: config.REDIS_COMMAND_TIMEOUT_MS,
  toolCallTimeoutMs: config.TOOL_CALL_TIMEOUT_SECONDS * 1000,
  listTimeoutMs: LIST_TIMEOUT_MS,
  toolResultMaxBytes: TOOL_RESULT_MAX_BYTES,
});
