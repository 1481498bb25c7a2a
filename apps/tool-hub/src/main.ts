import { setTimeout as delay } from 'node:timers/promises';
import { createSigningKeys } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import { createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import {
  createSecureStore,
  createUseOnce,
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
import { createWorkloadVerifier } from '@legate/workload';
import { createApp } from './app.ts';
import { openAudit } from './audit/open-audit.ts';
import { loadConfig } from './config.ts';
import { openRegistry } from './connectors/open-registry.ts';
import { createCertificateConnections } from './delegation/certificate-connections.ts';
import { createIdentityProvider } from './delegation/identity-provider.ts';
import { createPause } from './resilience/pause.ts';
import { withTimeout } from './resilience/with-timeout.ts';
import { listenForAnnouncements, NO_ANNOUNCEMENTS } from './revocations/announcements.ts';
import { createEndings } from './sessions/endings.ts';
import { createSessionStore } from './sessions/store.ts';
import { readTransactionTokensFile } from './transaction-tokens/workloads-file.ts';

/** At the latest then a running request learns that its session has ended. */
const RECHECK_MS = 5000;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const production = config.NODE_ENV === 'production';
  const clock = () => new Date();
  const log = createLogger({ service: 'tool-hub', level: config.LOG_LEVEL });
  const metrics = createMetrics('tool-hub');
  const discoveryTimeoutMs = config.DISCOVERY_TIMEOUT_SECONDS * 1000;
  const tokenTimeoutMs = config.TOKEN_TIMEOUT_SECONDS * 1000;
  const http = createHttpClient({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.CONNECT_TO,
    timeoutMs: Math.max(discoveryTimeoutMs, tokenTimeoutMs),
  });
  const transactionWorkloads =
    config.TRANSACTION_TOKENS_FILE === undefined
      ? undefined
      : readTransactionTokensFile(config.TRANSACTION_TOKENS_FILE, { env: process.env, production });
  if (production && transactionWorkloads && !config.SIGNING_KEYS) {
    log.warn('SIGNING_KEYS is not set: transaction tokens of other replicas are signed by other keys');
  }
  const connections = createCertificateConnections({ open: http.dispatcherWith, clock });
  const registry = openRegistry(config, {
    env: process.env,
    production,
    clock,
    log,
    metrics: metrics.registry,
  });
  const {
    backend,
    redis,
    close: closeBackend,
  } = await openBackend(config.REDIS_URL, {
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const encryptionKeys = config.ENCRYPTION_KEYS
    ? parseEncryptionKeys(config.ENCRYPTION_KEYS)
    : generateEncryptionKeys();
  const store = createSecureStore({ backend, keys: encryptionKeys });
  const announcements = redis
    ? await listenForAnnouncements(redis, {
        channel: `${config.REDIS_KEY_PREFIX}connectors-changed`,
        onAnnounced: (organizationId) => {
          registry.forget(organizationId);
          connections.forget(organizationId);
        },
        onMissed: registry.recheck,
        log,
      })
    : NO_ANNOUNCEMENTS;
  const audit = openAudit(config, { redis, store, clock, log, metrics: metrics.registry });
  const sessions = createSessionStore({ store, idleSeconds: config.SESSION_IDLE_SECONDS, clock, log });
  const endings = createEndings({ store: sessions, clock, log });
  const sessionAnnouncements = redis
    ? await listenForAnnouncements(redis, {
        channel: `${config.REDIS_KEY_PREFIX}sessions-ended`,
        onAnnounced: endings.end,
        onMissed: () => void endings.recheck(),
        log,
      })
    : NO_ANNOUNCEMENTS;
  const recheck = setInterval(() => void endings.recheck(), RECHECK_MS);
  // Neither Redis nor a peer is a condition: without the one the hub has no cache, without the other it says so.
  const health = createHealth({ checks: {} });

  const issuer = config.IDP_ISSUER;
  const trusted = { issuer, keys: createIssuerKeySet({ issuer, getJson: http.getJson, clock }) };
  const hubClient = {
    clientId: config.IDP_CLIENT_ID,
    clientAuth: {
      method: config.IDP_TOKEN_ENDPOINT_AUTH_METHOD,
      clientSecret: config.IDP_CLIENT_SECRET,
    },
  };
  const app = createApp({
    publicUrl: config.PUBLIC_URL,
    issuer: trusted,
    acceptedAudiences: config.ACCEPTED_AUDIENCES ?? [config.IDP_CLIENT_ID],
    identityProvider: createIdentityProvider({
      issuer,
      ...hubClient,
      fetch: withTimeout(http.fetch, tokenTimeoutMs),
      clock,
    }),
    registry,
    requireAgent: config.REQUIRE_AGENT,
    verifyWorkload:
      config.WORKLOADS.size === 0
        ? undefined
        : createWorkloadVerifier({
            issuer: trusted,
            audience: config.PUBLIC_URL,
            workloads: config.WORKLOADS,
            clock,
          }),
    announce: announcements.announce,
    transactionTokens: transactionWorkloads && {
      workloads: transactionWorkloads,
      signingKeys: await createSigningKeys({
        alg: 'ES256',
        clock,
        ...(config.SIGNING_KEYS && { jwks: config.SIGNING_KEYS }),
      }),
      useOnce: createUseOnce(backend, 'jti:'),
      // In each process: it only has to make guessing hopeless.
      failures: createFailureLimiter({ limiter: createRateLimiter({ clock }), clock }),
      getJson: http.getJson,
    },
    oauthConnect: {
      returnTo: config.CONNECT_RETURN_TO,
      ttlSeconds: config.CONNECTION_TTL_DAYS * 86_400,
    },
    sessions: {
      store: sessions,
      endings,
      announce: sessionAnnouncements.announce,
      hubClient,
      lifetimeSeconds: config.SESSION_LIFETIME_SECONDS,
    },
    trustedProxies: config.TRUSTED_PROXIES,
    trail: audit.trail,
    explanations: audit.explanations,
    store,
    encryptionKeys,
    allowedOrigins: config.ALLOWED_ORIGINS,
    http,
    connections,
    clock,
    limiter: createRateLimiter({ redis, clock, onDegraded: (err) => log.warn({ err }, 'rate limit') }),
    pause: createPause({ random: Math.random, wait: delay }),
    guardLimits: {
      maxConcurrent: config.CONNECTOR_MAX_CONCURRENT,
      openSeconds: config.BREAKER_OPEN_SECONDS,
    },
    discoveryTimeoutMs,
    tokenTimeoutMs,
    toolCallTimeoutMs: config.TOOL_CALL_TIMEOUT_SECONDS * 1000,
    listTimeoutMs: config.LIST_TIMEOUT_SECONDS * 1000,
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
      announcements.close();
      sessionAnnouncements.close();
      clearInterval(recheck);
      await audit.close(); // while there is a store, and a way to management-api
      closeBackend();
      await registry.close();
      await connections.close();
      await http.close();
    },
  });
}

startOrExit(main);
