import { cacheVerified } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import { createTenantDatabase, poolState, shareConnections } from '@legate/postgres';
import { countDecisions, createRateLimiter } from '@legate/rate-limit';
import { createUseOnce, openBackend, redisSettingsOf } from '@legate/secure-store';
import {
  Counter,
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  failingGauge,
  keySetReads,
  observedGauge,
  openTracer,
  rateLimitDecisions,
  redisAccessGauge,
  runService,
  startOrExit,
} from '@legate/service';
import { createWorkloadVerifier } from '@legate/workload';
import { createApp } from './app.ts';
import { ensureAuditPartitions } from './audit/store.ts';
import { createCallerTokenVerifier } from './caller/verify-token.ts';
import { loadConfig } from './config.ts';
import { loadConnectorKeys } from './connectors/encryption-keys.ts';
import { createSecretCipher } from './connectors/secret-cipher.ts';
import { APPLICATION_ROLE, openDatabase } from './database.ts';
import { startDailyChecks } from './domains/daily-checks.ts';
import { createTxtLookup } from './domains/txt-lookup.ts';
import { saveConnectors } from './organizations/connector-seed.ts';
import { saveSeed } from './organizations/seed.ts';
import { createOrganizationStore } from './organizations/store.ts';
import { startPurging } from './purge/purging.ts';
import { createReader } from './reader.ts';
import { startHub } from './revocations/hub.ts';
import { traceTenants } from './trace-tenants.ts';
import { createTransactionVerifier } from './transactions/verify-transaction.ts';
import { startUsageCounting } from './usage/counting.ts';

const SERVICE = 'management-api';

startOrExit(async () => {
  const config = loadConfig(process.env);
  const connectorKeys = loadConnectorKeys({
    text: config.CONNECTOR_ENCRYPTION_KEYS,
    production: config.NODE_ENV === 'production',
    embeddedDir: config.DATABASE_URL === undefined ? config.DATA_DIR : undefined,
  });
  const txnTokenIssuer = config.TRANSACTION_TOKEN_ISSUER;
  const { seed, onboarding, hub: hubSettings } = config;
  const clock = () => new Date();
  const log = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  const metrics = createMetrics(SERVICE);
  const decisions = rateLimitDecisions(metrics.registry);
  const reads = keySetReads(metrics.registry);
  const tracer = await openTracer(SERVICE, config, { log });

  const database = await openDatabase({
    url: config.DATABASE_URL,
    migrationUrl: config.MIGRATION_DATABASE_URL,
    dataDir: config.DATA_DIR,
    migrate: config.MIGRATE_ON_START,
    replicaUrl: config.DATABASE_REPLICA_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    log: {
      info: (message) => log.debug(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  observedGauge(metrics.registry, {
    name: 'postgres_pool_connections',
    help: 'Connections to PostgreSQL that are in use and idle, and requests that wait for one',
    label: 'state',
    observe: () => poolState(database.pool),
  });
  const connectionsPerOrganization = Math.ceil(
    (config.DATABASE_POOL_SIZE * config.DATABASE_ORGANIZATION_SHARE_PERCENT) / 100,
  );
  const untraced = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
  const tenants = tracer ? traceTenants(untraced) : untraced;
  await ensureAuditPartitions(tenants);
  if (seed) {
    await saveSeed(seed, createOrganizationStore(tenants));
    await saveConnectors(seed.connectors, { tenants, cipher: createSecretCipher(connectorKeys) });
  }

  const store = await openBackend(redisSettingsOf(config), {
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const { redis } = store;
  redisAccessGauge(metrics.registry, store.checkAccess);
  const degraded = new Counter({
    name: 'rate_limit_degraded_total',
    help: 'Failures of Redis after which this process counted requests for itself',
    registers: [metrics.registry],
  });
  const degradedNow = failingGauge(metrics.registry, {
    name: 'rate_limit_degraded',
    help: '1 while Redis fails and this process counts requests for itself',
    clock,
  });
  const onDegraded = (err: unknown) => {
    degraded.inc();
    degradedNow.failed();
    log.warn({ err }, 'rate limits are counted in this process');
  };
  const instanceCount = config.INSTANCE_COUNT;
  const limiter = createRateLimiter({ redis, clock, instanceCount, onDegraded });

  const http = createHttpClient({ allow: config.OUTBOUND_ALLOW, connectTo: config.CONNECT_TO });
  const issuer = config.IDP_ISSUER;
  const keys = createIssuerKeySet({
    issuer,
    getJson: http.getJson,
    clock,
    jwksUri: config.IDP_JWKS_URI,
    onRead: reads(issuer),
  });
  const verifyToken = cacheVerified(
    createCallerTokenVerifier({
      issuers: [{ issuer, keys }],
      audience: config.RESOURCE,
      clock,
      types: config.ACCESS_TOKEN_TYPES,
      organizationClaim: config.ORGANIZATION_CLAIM,
    }),
    { clock },
  );

  const health = createHealth({
    checks: { postgres: tenants.ping, redis_access: store.checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const { registry } = metrics;
  const usage = startUsageCounting({ tenants, clock, log, registry });
  const lookupTxt = createTxtLookup({ servers: config.DNS_SERVERS });
  const dailyChecks = startDailyChecks({ tenants, lookupTxt, clock, log, registry });
  const hub =
    hubSettings && startHub({ settings: hubSettings, tenants, fetch: http.fetch, clock, log, registry });
  const purging =
    config.PURGE_INTERVAL_SECONDS === 0
      ? undefined
      : startPurging({
          tenants,
          auditMonthsKept: config.AUDIT_RETENTION_MONTHS,
          pauseSeconds: config.PURGE_INTERVAL_SECONDS,
          clock,
          log,
          registry: metrics.registry,
        });
  const verifyWorkload = createWorkloadVerifier({
    issuer: { issuer, keys },
    audience: config.RESOURCE,
    workloads: config.WORKLOADS,
    organizationClaim: config.ORGANIZATION_CLAIM,
    clock,
  });
  const problemTypeBase = config.PROBLEM_TYPE_BASE ?? `${config.RESOURCE}/errors`;
  const app = createApp({
    description: { resource: config.RESOURCE, issuer },
    log,
    clock,
    verifyToken,
    tenants,
    connectionsPerOrganization,
    reader:
      database.replica &&
      createReader({
        primary: shareConnections(tenants, { max: connectionsPerOrganization }),
        replica: shareConnections(createTenantDatabase(database.replica, { role: APPLICATION_ROLE }), {
          max: connectionsPerOrganization,
        }),
        clock,
        onAway: (err) => log.warn({ err }, 'the replica is away: its reads go to the primary'),
      }),
    limiter,
    decisions,
    health,
    metrics,
    tracer,
    problemTypeBase,
    customPlanDefault: config.CUSTOM_PLAN_DEFAULT_RPM,
    concurrentRequests: config.MAX_CONCURRENT_REQUESTS_PER_ORGANIZATION,
    quotas: {
      sites: config.MAX_SITES_PER_ORGANIZATION,
      agents: config.MAX_AGENTS_PER_ORGANIZATION,
      connectors: config.MAX_CONNECTORS_PER_ORGANIZATION,
      domains: config.MAX_DOMAINS_PER_ORGANIZATION,
    },
    trustedProxies: config.TRUSTED_PROXIES,
    consoleOrigins: config.CONSOLE_ORIGINS,
    onboarding: onboarding && {
      settings: onboarding,
      issuer,
      fetch: http.fetch,
      backend: store.backend,
      // A quarter of the share while Redis is down: creating organizations is what a flood would be after.
      attempts: countDecisions(
        createRateLimiter({
          redis,
          clock,
          instanceCount: instanceCount * 4,
          windowSeconds: 600,
          onDegraded,
        }),
        decisions('onboarding'),
      ),
    },
    connectorKeys,
    getJson: http.getJson,
    outboundAllow: config.OUTBOUND_ALLOW,
    lookupTxt,
    usage,
    hub,
    workloads:
      config.WORKLOADS.size === 0
        ? undefined
        : {
            verify: verifyWorkload,
            requestsPerMinute: config.WORKLOAD_REQUESTS_PER_MINUTE,
          },
    transactions:
      txnTokenIssuer === undefined
        ? undefined
        : {
            verifyWorkload,
            verifyTransaction: createTransactionVerifier({
              issuer: {
                issuer: txnTokenIssuer,
                keys: createIssuerKeySet({
                  issuer: txnTokenIssuer,
                  getJson: http.getJson,
                  clock,
                  onRead: reads(txnTokenIssuer),
                }),
              },
              audience: config.RESOURCE,
              identityProvider: issuer,
              clock,
            }),
            useOnce: createUseOnce(store.backend, 'txn:'),
          },
  });

  await runService({
    config,
    app,
    health,
    metrics,
    log,
    typeBase: problemTypeBase,
    async close() {
      await purging?.stop();
      dailyChecks.stop();
      await usage.stop();
      await hub?.stop();
      store.close();
      await http.close();
      await database.close();
      await tracer?.close();
    },
  });
});
