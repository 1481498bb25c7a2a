import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readClientCredentials } from '@legate/client-authentication';
import { findKind, organizationRuleOf } from '@legate/identity-providers';
import { createIssuerKeySet } from '@legate/oauth';
import {
  generateEncryptionKeys,
  openBackend,
  parseEncryptionKeys,
  redisSettingsOf,
} from '@legate/secure-store';
import {
  ConfigError,
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  keySetReads,
  openTracer,
  redisAccessGauge,
  runService,
  startOrExit,
} from '@legate/service';
import { createApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';

const SERVICE = 'console';
const clock = () => new Date();
/** Longer than the hub's default timeout of a tool call */
const UPSTREAM_TIMEOUT_MS = 75_000;
/** A working day */
const SESSION_LIFETIME_SECONDS = 12 * 3600;
const SESSION_IDLE_SECONDS = 3600;
/** A tool call may be running when the process is told to stop; it may take as long as the hub allows by default. */
const GRACE_SECONDS = 60;
const MAX_UPSTREAM_BYTES = 4 * 1024 * 1024;
/** Holds more than 10,000 events as CSV. The management API runs one export of an organization at a time. */
const MAX_EXPORT_BYTES = 16 * 1024 * 1024;

startOrExit(async () => {
  const config = loadConfig(process.env);
  const log = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  const store = await openBackend(redisSettingsOf(config), {
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const metrics = createMetrics(SERVICE);
  redisAccessGauge(metrics.registry, store.checkAccess);
  const health = createHealth({
    checks: { redis_access: store.checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const tracer = await openTracer(SERVICE, config, { log });
  const outbound = { allow: config.OUTBOUND_ALLOW, connectTo: config.CONNECT_TO };
  const http = createHttpClient(outbound);
  const upstream = createHttpClient({
    ...outbound,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    maxResponseBytes: MAX_UPSTREAM_BYTES,
  });
  const exporting = createHttpClient({
    ...outbound,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    maxResponseBytes: MAX_EXPORT_BYTES,
  });
  const app = createApp({
    ...settingsOf(config),
    issuer: {
      issuer: config.IDP_ISSUER,
      keys: createIssuerKeySet({
        issuer: config.IDP_ISSUER,
        getJson: http.getJson,
        clock,
        onRead: keySetReads(metrics.registry)(config.IDP_ISSUER),
      }),
    },
    backend: store.backend,
    encryptionKeys: config.ENCRYPTION_KEYS
      ? parseEncryptionKeys(config.ENCRYPTION_KEYS)
      : generateEncryptionKeys(),
    fetch: http.fetch,
    upstreamFetch: upstream.fetch,
    exportFetch: exporting.fetch,
    pause: delay,
    clock,
    webRoot: fileURLToPath(new URL('../dist/web', import.meta.url)),
    log,
    health,
    metrics,
    tracer,
  });
  await runService({
    config,
    app,
    health,
    metrics,
    log,
    typeBase: `${config.PUBLIC_URL}/errors`,
    graceSeconds: GRACE_SECONDS,
    close: async () => {
      await upstream.close();
      await exporting.close();
      await http.close();
      store.close();
      await tracer?.close();
    },
  });
});

function settingsOf(config: Config) {
  const credentials = readClientCredentials({
    clientSecret: config.IDP_CLIENT_SECRET,
    clientKeys: config.IDP_CLIENT_KEYS,
    assertionAudience: config.IDP_CLIENT_ASSERTION_AUDIENCE ?? findKind(config.IDP_KIND).assertionAudience,
  });
  if (!credentials) throw new ConfigError(['IDP_CLIENT_SECRET: required, or IDP_CLIENT_KEYS']);
  return {
    publicUrl: config.PUBLIC_URL,
    browserConfig: config.browserConfig,
    trustedProxies: config.TRUSTED_PROXIES,
    clientId: config.IDP_CLIENT_ID,
    credentials,
    resource: config.MANAGEMENT_API_RESOURCE ?? config.MANAGEMENT_API_URL,
    organizationRule: organizationRuleOf(config),
    authorizationParameters: config.AUTHORIZATION_PARAMETERS,
    managementApiUrl: config.MANAGEMENT_API_URL,
    toolHubUrl: config.TOOL_HUB_URL,
    sessionIdleSeconds: config.SESSION_IDLE_SECONDS ?? SESSION_IDLE_SECONDS,
    sessionLifetimeSeconds: config.SESSION_LIFETIME_SECONDS ?? SESSION_LIFETIME_SECONDS,
  };
}
