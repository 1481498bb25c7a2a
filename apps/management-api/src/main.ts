import { USER_SHARE_PERCENT } from '@legate/rate-limit';
import { createUseOnce, openBackend, redisSettingsOf } from '@legate/secure-store';
import {
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  openTracer,
  redisAccessGauge,
  runService,
  startOrExit,
  userAgentOf,
} from '@legate/service';
import { createOrganizationStore } from './admission/organization-store.ts';
import { createApp } from './app.ts';
import { ensureAuditPartitions } from './changes/audit-log.ts';
import { createMakeChange } from './changes/change.ts';
import { type Config, databaseAddressOf, embeddedDirOf, loadConfig } from './config.ts';
import { loadConnectorKeys } from './connectors/encryption-keys.ts';
import { createSecretCipher } from './connectors/secret-cipher.ts';
import { createTxtLookup } from './domains/txt-lookup.ts';
import { createReferenceSignIn } from './openapi/reference-sign-in.ts';
import { saveConnectors } from './seed/connector-seed.ts';
import { saveSeed } from './seed/organization-seed.ts';
import { saveServiceAccounts } from './seed/service-account-seed.ts';
import { problemTypeBaseOf } from './wiring/front-pages.ts';
import { openCallers } from './wiring/open-callers.ts';
import { openLimits } from './wiring/open-limits.ts';
import { openStorage } from './wiring/open-storage.ts';
import { startBackground } from './wiring/start-background.ts';

const SERVICE = 'management-api';
/** Members of an organization, those who are kept out included: so many that only an attack has more */
const MAX_MEMBERS = 100_000;

startOrExit(async () => {
  const config = loadConfig(process.env);
  const parts = await open(config);
  const { health, metrics, log, background, store, http, storage, tracer } = parts;
  await runService({
    config,
    app: appOf(config, parts),
    health,
    metrics,
    log,
    typeBase: problemTypeBaseOf(config.RESOURCE),
    async close() {
      await background.stop();
      store.close();
      await http.close();
      await storage.close();
      await tracer?.close();
    },
  });
});

/** Opens what the service needs, in this order, and starts its background work. */
async function open(config: Config) {
  const connectorKeys = loadConnectorKeys({
    text: config.CONNECTOR_ENCRYPTION_KEYS,
    production: config.NODE_ENV === 'production',
    embeddedDir: embeddedDirOf(config),
  });
  const clock = () => new Date();
  const log = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  const metrics = createMetrics(SERVICE);
  const { registry } = metrics;
  const tracer = await openTracer(SERVICE, config, { log });
  const storage = await openStorage({
    address: databaseAddressOf(config),
    replicaUrl: config.DATABASE_REPLICA_URL,
    migrate: config.MIGRATE_ON_START,
    poolSize: config.DATABASE_POOL_SIZE,
    isSingleOrganization: config.SINGLE_ORGANIZATION,
    isTraced: tracer !== undefined,
    clock,
    log,
    registry,
  });
  const { tenants } = storage;
  await ensureAuditPartitions(tenants);
  if (config.seed) {
    await saveSeed(config.seed, createOrganizationStore(createMakeChange(tenants)), (organization_id) =>
      log.warn({ organization_id }, 'an organization of SEED_FILE was purged, and is not created again'),
    );
    await saveConnectors(config.seed.connectors, { tenants, cipher: createSecretCipher(connectorKeys) });
    await saveServiceAccounts(config.seed.service_accounts, { tenants, issuer: config.IDP_ISSUER, clock });
  }
  const store = await openBackend(redisSettingsOf(config), {
    connectionName: SERVICE,
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  redisAccessGauge(registry, store.checkAccess);
  const http = createHttpClient({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.CONNECT_TO,
    userAgent: userAgentOf(config.PUBLIC_URL),
  });
  const lookupTxt = createTxtLookup({ servers: config.DNS_SERVERS });
  const health = createHealth({
    checks: { postgres: tenants.ping, redis_access: store.checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const background = startBackground({
    tenants,
    lookupTxt,
    hub: config.hub,
    fetch: http.fetch,
    auditMonthsKept: config.AUDIT_RETENTION_MONTHS,
    clock,
    log,
    registry,
  });
  return { connectorKeys, clock, log, metrics, tracer, storage, store, http, lookupTxt, health, background };
}

function appOf(config: Config, parts: Awaited<ReturnType<typeof open>>) {
  const { connectorKeys, clock, log, metrics, tracer, storage, store, http, health, background } = parts;
  const { registry } = metrics;
  const limits = openLimits({
    redis: store.redis,
    clock,
    log,
    registry,
  });
  const callers = openCallers({
    resource: config.RESOURCE,
    issuer: config.IDP_ISSUER,
    accessTokenTypes: config.ACCESS_TOKEN_TYPES,
    organizationClaim: config.ORGANIZATION_CLAIM,
    workloads: config.WORKLOADS,
    transactionTokenIssuer: config.TRANSACTION_TOKEN_ISSUER,
    useTransactionOnce: createUseOnce(store.backend, 'txn:'),
    getJson: http.getJson,
    clock,
    registry,
  });
  return createApp({
    description: {
      resource: config.RESOURCE,
      issuer: config.IDP_ISSUER,
      readSignIn:
        config.API_REFERENCE_CLIENT_ID === undefined
          ? undefined
          : createReferenceSignIn({
              clientId: config.API_REFERENCE_CLIENT_ID,
              issuer: config.IDP_ISSUER,
              getJson: http.getJson,
              clock,
              log,
            }),
    },
    log,
    clock,
    verifyToken: callers.verifyToken,
    tenants: storage.tenants,
    connectionShare: storage.connectionShare,
    reader: storage.reader,
    limiter: limits.limiter,
    userSharePercent: USER_SHARE_PERCENT,
    concurrentRequests: storage.connectionShare.maxAlone,
    decisions: limits.decisions,
    health,
    metrics,
    tracer,
    trustedProxies: config.TRUSTED_PROXIES,
    allowedOrigins: config.ALLOWED_ORIGINS,
    onboarding: config.onboarding && {
      settings: config.onboarding,
      issuer: config.IDP_ISSUER,
      fetch: http.fetch,
      backend: store.backend,
      attempts: limits.attempts,
    },
    connectorKeys,
    getJson: http.getJson,
    outboundAllow: config.OUTBOUND_ALLOW,
    lookupTxt: parts.lookupTxt,
    usage: background.usage,
    hub: background.hub,
    workloads: config.WORKLOADS.size === 0 ? undefined : { verify: callers.verifyWorkload },
    transactions: callers.transactions,
    maxKeyDays: config.API_KEY_MAX_DAYS,
    memberRules: { defaultRole: config.DEFAULT_MEMBER_ROLE, maxMembers: MAX_MEMBERS },
  });
}
