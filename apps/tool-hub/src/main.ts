import { setTimeout as delay } from 'node:timers/promises';
import { boundedIdToken } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import { countDecisions, createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import {
  createSecureStore,
  generateEncryptionKeys,
  openBackend,
  parseEncryptionKeys,
  redisSettingsOf,
} from '@legate/secure-store';
import {
  createHealth,
  createHttpClient,
  createLogger,
  createMemoryBudget,
  createMetrics,
  failingGauge,
  keySetReads,
  openTracer,
  rateLimitDecisions,
  redisAccessGauge,
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
import { openSessions } from './sessions/open-sessions.ts';
import { openTransactionTokens } from './transaction-tokens/open-transaction-tokens.ts';

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const production = config.NODE_ENV === 'production';
  const clock = () => new Date();
  const log = createLogger({ service: 'tool-hub', level: config.LOG_LEVEL });
  const metrics = createMetrics('tool-hub');
  const decisions = rateLimitDecisions(metrics.registry);
  const reads = keySetReads(metrics.registry);
  const degradedNow = failingGauge(metrics.registry, {
    name: 'rate_limit_degraded',
    help: '1 while Redis fails and this process counts requests for itself',
    clock,
  });
  const onDegraded = (err: unknown) => {
    degradedNow.failed();
    log.warn({ err }, 'rate limits are counted in this process');
  };
  const tracer = await openTracer('tool-hub', config, { log });
  const discoveryTimeoutMs = config.DISCOVERY_TIMEOUT_SECONDS * 1000;
  const tokenTimeoutMs = config.TOKEN_TIMEOUT_SECONDS * 1000;
  const memory = createMemoryBudget({
    limitBytes: config.MEMORY_BUDGET_MB * 1_048_576,
    organizationPercent: config.MEMORY_ORGANIZATION_SHARE_PERCENT,
    userPercent: config.MEMORY_USER_SHARE_PERCENT,
    metrics: metrics.registry,
  });
  const http = createHttpClient({
    memory: memory.openOwn(),
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.CONNECT_TO,
    timeoutMs: Math.max(discoveryTimeoutMs, tokenTimeoutMs),
  });
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
    checkAccess,
    close: closeBackend,
  } = await openBackend(redisSettingsOf(config), {
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
  // Neither Redis nor a peer is a condition: without the one the hub has no cache, without the other it says so. But a
  // Redis that refuses us does not come back by itself, and a rollout with a wrong password must stop.
  const health = createHealth({
    checks: { redis_access: checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  redisAccessGauge(metrics.registry, checkAccess);

  const issuer = config.IDP_ISSUER;
  const trusted = {
    issuer,
    keys: createIssuerKeySet({ issuer, getJson: http.getJson, clock, onRead: reads(issuer) }),
  };
  const hubClient = {
    clientId: config.IDP_CLIENT_ID,
    clientAuth: {
      method: config.IDP_TOKEN_ENDPOINT_AUTH_METHOD,
      clientSecret: config.IDP_CLIENT_SECRET,
    },
  };
  const sessions = await openSessions(config, { redis, store, hubClient, clock, log });
  const transactionTokens = await openTransactionTokens(config, {
    env: process.env,
    production,
    backend,
    // In each process: it only has to make guessing hopeless.
    failures: createFailureLimiter({
      limiter: countDecisions(createRateLimiter({ clock }), decisions('failures')),
      clock,
    }),
    getJson: http.getJson,
    onKeysRead: reads,
    clock,
    log,
  });
  const app = createApp({
    publicUrl: config.PUBLIC_URL,
    issuer: trusted,
    acceptedAudiences: config.ACCEPTED_AUDIENCES ?? [config.IDP_CLIENT_ID],
    organizationClaim: config.ORGANIZATION_CLAIM,
    idTokenProfile: boundedIdToken({
      allowedMarks: config.ID_TOKEN_ALLOWED_CLAIMS,
      maxLifetimeSeconds: config.ID_TOKEN_MAX_LIFETIME_SECONDS,
    }),
    identityProvider: createIdentityProvider({
      issuer,
      ...hubClient,
      fetch: withTimeout(http.fetch, tokenTimeoutMs),
      clock,
    }),
    idJagOrganization: config.ID_JAG_ORGANIZATION,
    registry,
    requireAgent: config.REQUIRE_AGENT,
    verifyWorkload:
      config.WORKLOADS.size === 0
        ? undefined
        : createWorkloadVerifier({
            issuer: trusted,
            audience: config.PUBLIC_URL,
            workloads: config.WORKLOADS,
            organizationClaim: config.ORGANIZATION_CLAIM,
            clock,
          }),
    announce: announcements.announce,
    transactionTokens,
    oauthConnect: {
      returnTo: config.CONNECT_RETURN_TO,
      ttlSeconds: config.CONNECTION_TTL_DAYS * 86_400,
    },
    sessions: sessions.options,
    trustedProxies: config.TRUSTED_PROXIES,
    trail: audit.trail,
    explanations: audit.explanations,
    store,
    encryptionKeys,
    allowedOrigins: config.ALLOWED_ORIGINS,
    http,
    connections,
    clock,
    limiter: countDecisions(
      createRateLimiter({ redis, clock, instanceCount: config.INSTANCE_COUNT, onDegraded }),
      decisions('requests'),
    ),
    planLimiter: countDecisions(
      createRateLimiter({ redis, clock, instanceCount: config.INSTANCE_COUNT, onDegraded }),
      decisions('plan'),
    ),
    fairUse: {
      slots: {
        process: config.MAX_CALLS,
        organization: config.MAX_CALLS_PER_ORGANIZATION,
        user: config.MAX_CALLS_PER_USER,
        agent: config.MAX_CALLS_PER_AGENT,
      },
      requestsPerMinute: config.REQUESTS_PER_MINUTE,
      userSharePercent: config.USER_SHARE_PERCENT,
    },
    pause: createPause({ random: Math.random, wait: delay }),
    guardLimits: {
      maxConcurrent: config.CONNECTOR_MAX_CONCURRENT,
      openSeconds: config.BREAKER_OPEN_SECONDS,
    },
    discoveryTimeoutMs,
    tokenTimeoutMs,
    storeCommandTimeoutMs: config.REDIS_COMMAND_TIMEOUT_MS,
    toolCallTimeoutMs: config.TOOL_CALL_TIMEOUT_SECONDS * 1000,
    listTimeoutMs: config.LIST_TIMEOUT_SECONDS * 1000,
    toolResultMaxBytes: config.TOOL_RESULT_MAX_BYTES,
    memory,
    log,
    metrics,
    tracer,
    health,
  });
  await runService({
    config,
    app,
    health,
    metrics,
    log,
    typeBase: `${config.PUBLIC_URL}/errors`,
    close: async () => {
      announcements.close();
      sessions.close();
      await audit.close(); // while there is a store, and a way to management-api
      closeBackend();
      await registry.close();
      await connections.close();
      await http.close();
      await tracer?.close();
    },
  });
}

startOrExit(main);
