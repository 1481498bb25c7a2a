import { setTimeout as delay } from 'node:timers/promises';
import { createIssuerKeySet } from '@legate/oauth';
import {
  createSecureStore,
  generateEncryptionKeys,
  openBackend,
  parseEncryptionKeys,
} from '@legate/secure-store';
import {
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  runService,
  startOrExit,
} from '@legate/service';
import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import { readConnectorsFile } from './connectors/file-registry.ts';
import { createIdentityProvider } from './delegation/identity-provider.ts';

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const production = config.NODE_ENV === 'production';
  const registry = readConnectorsFile(config.CONNECTORS_FILE, { env: process.env, production });
  const clock = () => new Date();
  const log = createLogger({ service: 'tool-hub', level: config.LOG_LEVEL });
  const metrics = createMetrics('tool-hub');
  const http = createHttpClient({ allow: config.OUTBOUND_ALLOW, connectTo: config.CONNECT_TO });
  const { backend, close: closeBackend } = await openBackend(config.REDIS_URL, {
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const store = createSecureStore({
    backend,
    keys: config.ENCRYPTION_KEYS ? parseEncryptionKeys(config.ENCRYPTION_KEYS) : generateEncryptionKeys(),
  });
  // Neither Redis nor a peer is a condition: without the one the hub has no cache, without the other it says so.
  const health = createHealth({ checks: {} });

  const issuer = config.IDP_ISSUER;
  const app = createApp({
    publicUrl: config.PUBLIC_URL,
    issuer: { issuer, keys: createIssuerKeySet({ issuer, getJson: http.getJson, clock }) },
    acceptedAudiences: config.ACCEPTED_AUDIENCES ?? [config.IDP_CLIENT_ID],
    identityProvider: createIdentityProvider({
      issuer,
      clientId: config.IDP_CLIENT_ID,
      clientAuth: { method: config.IDP_TOKEN_ENDPOINT_AUTH_METHOD, clientSecret: config.IDP_CLIENT_SECRET },
      fetch: http.fetch,
      clock,
    }),
    registry,
    store,
    http,
    clock,
    pause: () => delay(50 + Math.random() * 150),
    toolCallTimeoutMs: config.TOOL_CALL_TIMEOUT_SECONDS * 1000,
    toolResultMaxBytes: config.TOOL_RESULT_MAX_BYTES,
    log,
    metrics,
    health,
  });
  await runService({
    config,
    app,
    health,
    metrics,
    log,
    close: async () => {
      closeBackend();
      await http.close();
    },
  });
}

startOrExit(main);
