import { namingOutages, StoreUnavailable } from '@legate/authorization-server';
import { createSigningKeys } from '@legate/jwt';
import { countDecisions, createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import { openBackend, redisSettingsOf } from '@legate/secure-store';
import {
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  openTracer,
  rateLimitDecisions,
  redisAccessGauge,
  runService,
  startOrExit,
} from '@legate/service';
import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import { createDirectory } from './directory/directory.ts';
import { createMemoryDocuments, createRedisDocuments } from './directory/documents.ts';
import { seedDirectory } from './directory/seed.ts';
import { cookieKeysOf } from './openid/cookie-keys.ts';
import { namingDocumentOutages } from './openid/store-outage.ts';

const clock = () => new Date();

startOrExit(async () => {
  const config = loadConfig(process.env);
  const log = createLogger({ service: 'mock-idp', level: config.LOG_LEVEL });
  const store = await openBackend(redisSettingsOf(config), {
    connectionName: 'mock-idp',
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const documents = store.redis ? createRedisDocuments(store.redis) : createMemoryDocuments();
  const directory = createDirectory(namingDocumentOutages(documents));
  await seedDirectory(directory, config.directory, clock).catch((err: unknown) => {
    throw err instanceof StoreUnavailable ? new Error('Redis cannot be used', { cause: err }) : err;
  });

  const health = createHealth({
    checks: { store: () => store.backend.ping(), redis_access: store.checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const http = createHttpClient({ allow: config.OUTBOUND_ALLOW, connectTo: config.CONNECT_TO });
  const metrics = createMetrics('mock-idp');
  redisAccessGauge(metrics.registry, store.checkAccess);
  const tracer = await openTracer('mock-idp', config, { log });
  const keys = await createSigningKeys({
    alg: 'RS256',
    clock,
    ...(config.SIGNING_KEYS && { jwks: config.SIGNING_KEYS }),
  });
  const app = await createApp({
    issuer: config.issuer,
    personality: config.personality,
    keys,
    cookieKeys: cookieKeysOf(keys.privateJwks()),
    adminApiKey: config.IDP_ADMIN_API_KEY,
    directory,
    backend: namingOutages(store.backend),
    isStoreShared: store.redis !== undefined,
    fetch: http.fetch,
    getJson: http.getJson,
    idTokenTtlSeconds: config.directory.id_token_ttl_seconds,
    // Counted in each process separately, which is enough to make guessing hopeless.
    failures: createFailureLimiter({
      limiter: countDecisions(createRateLimiter({ clock }), rateLimitDecisions(metrics.registry)('failures')),
      clock,
    }),
    trustedProxies: config.TRUSTED_PROXIES,
    clock,
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
    typeBase: `${new URL(config.issuer).origin}/errors`,
    close: async () => {
      store.close();
      await http.close();
      await tracer?.close();
    },
  });
});
