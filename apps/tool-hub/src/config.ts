import { privateJwks } from '@legate/jwt';
import { parseEncryptionKeys } from '@legate/secure-store';
import {
  browserOrigin,
  ConfigError,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  parseEnvironment,
  port,
  serviceEnvironment,
} from '@legate/service';
import { workloadsSetting } from '@legate/workload';
import { z } from 'zod';
import { MAX_LIFETIME_SECONDS } from './sessions/store.ts';

const Env = z.object({
  ...serviceEnvironment,
  PORT: port.default(4001),
  /** Where applications reach the hub; the base of problem types. */
  PUBLIC_URL: identifierUrl.default('http://localhost:4001'),
  /** The identity provider: its ID tokens are accepted, and exchanged there. Compared with `iss` as a string. */
  IDP_ISSUER: issuerUrl,
  /** The hub's client at the identity provider, which must be allowed to exchange tokens. */
  IDP_CLIENT_ID: z.string().min(1),
  IDP_CLIENT_SECRET: z.string().min(1),
  IDP_TOKEN_ENDPOINT_AUTH_METHOD: z
    .enum(['client_secret_post', 'client_secret_basic'])
    .default('client_secret_post'),
  /** Clients whose ID tokens the hub takes as a caller's. Default: the hub's own client only. */
  ACCEPTED_AUDIENCES: commaSeparated.pipe(z.array(z.string()).min(1)).optional(),
  /** JSON file with the connectors, for a hub that runs alone. One of this and MANAGEMENT_API_URL. */
  CONNECTORS_FILE: z.string().min(1).optional(),
  /** Where the connectors come from; asked as the hub's client, with the scope `internal:connectors`. */
  MANAGEMENT_API_URL: identifierUrl.optional(),
  /** Its resource identifier, where that is not its URL. */
  MANAGEMENT_API_RESOURCE: identifierUrl.optional(),
  /** Services that may revoke, such as `management-api=internal:revocations`; their tokens are for PUBLIC_URL. */
  WORKLOADS: workloadsSetting.default(() => new Map()),
  /** Refuses callers that name no agent in `Legate-Agent-Id`. */
  REQUIRE_AGENT: z.stringbool().default(false),
  /** Pages of applications to which users come back after they have connected an account; compared as strings. */
  CONNECT_RETURN_TO: commaSeparated.pipe(z.array(z.url({ protocol: /^https?$/ }))).default([]),
  /** After this a user must connect again, however often his tokens were refreshed. */
  CONNECTION_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(90),
  /** Without it tokens are kept, encrypted likewise, in this process alone. */
  REDIS_URL: z.string().min(1).optional(),
  REDIS_KEY_PREFIX: z.string().default(''),
  /** Of a session that the hub renews, whatever it is used for. */
  SESSION_LIFETIME_SECONDS: z.coerce.number().int().min(60).max(MAX_LIFETIME_SECONDS).default(604_800),
  /** After which a session that nobody uses ends. */
  SESSION_IDLE_SECONDS: z.coerce.number().int().min(60).max(MAX_LIFETIME_SECONDS).default(86_400),
  /** Writes each audit event to the log. Default: where there is no management-api to tell. */
  AUDIT_LOG: z.stringbool().optional(),
  /** Audit events that may wait in Redis for management-api; about 1 KB each. */
  AUDIT_STREAM_MAX_EVENTS: z.coerce.number().int().min(1000).max(10_000_000).default(100_000),
  /** Those that may wait in this process, without Redis or while it is away. */
  AUDIT_QUEUE_MAX_EVENTS: z.coerce.number().int().min(100).max(1_000_000).default(10_000),
  /** How long a call that was not granted can be asked about. */
  EXPLANATION_TTL_SECONDS: z.coerce.number().int().min(60).max(604_800).default(86_400),
  /** `id:base64` of 32 bytes each, separated by commas; the first one encrypts. */
  ENCRYPTION_KEYS: z.string().min(1).optional(),
  TOOL_CALL_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(60),
  /** For each request for metadata of a tool server or of its authorization server. */
  DISCOVERY_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(30).default(5),
  /** For each request to the identity provider, and to the token endpoint of a tool server. */
  TOKEN_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(30).default(5),
  /** Requests of this process that one connector may have on their way; more are refused. */
  CONNECTOR_MAX_CONCURRENT: z.coerce.number().int().min(1).max(10_000).default(500),
  /** How long nothing is sent to a connector that has failed too often. */
  BREAKER_OPEN_SECONDS: z.coerce.number().int().min(1).max(600).default(10),
  /** How long an agent's list waits for each connector. */
  LIST_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(60).default(5),
  /** Web pages that may speak MCP with the hub; agents that are no browsers need no entry. */
  ALLOWED_ORIGINS: commaSeparated.pipe(z.array(browserOrigin)).default([]),
  /** JSON file: which workloads get which transaction tokens; unset: none does. */
  TRANSACTION_TOKENS_FILE: z.string().min(1).optional(),
  /** Private JWKS for transaction tokens: the first key signs, the others are only published. Unset: a key made at start. */
  SIGNING_KEYS: privateJwks().optional(),
  TOOL_RESULT_MAX_BYTES: z.coerce.number().int().min(1024).max(67_108_864).default(4_194_304),
});
export type Config = Readonly<z.output<typeof Env>>;

/**
 * Called by main.ts alone.
 * @throws {ConfigError} with every variable at fault, and no value
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const config = parseEnvironment(Env, env);
  if ((config.CONNECTORS_FILE === undefined) === (config.MANAGEMENT_API_URL === undefined)) {
    throw new ConfigError(['CONNECTORS_FILE, MANAGEMENT_API_URL: one of them, and not both']);
  }
  // Keys made at start would leave entries in Redis that no other replica, and not even this one after a restart, can read.
  if (config.REDIS_URL && !config.ENCRYPTION_KEYS) {
    throw new ConfigError(['ENCRYPTION_KEYS: required with REDIS_URL']);
  }
  if (config.ENCRYPTION_KEYS) {
    try {
      parseEncryptionKeys(config.ENCRYPTION_KEYS);
    } catch (err) {
      throw new ConfigError([`ENCRYPTION_KEYS: ${err instanceof Error ? err.message : 'malformed'}`]);
    }
  }
  return config;
}
