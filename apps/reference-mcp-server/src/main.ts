import { createSigningKeys } from '@legate/jwt';
import { countDecisions, createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import { createOneTimeStore, openBackend, redisSettingsOf } from '@legate/secure-store';
import {
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  keySetReads,
  openTracer,
  rateLimitDecisions,
  redisAccessGauge,
  runService,
  startOrExit,
  VERSION,
} from '@legate/service';
import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import { createRedisNotes } from './notes/redis-store.ts';
import { createMemoryNotes } from './notes/store.ts';
import { openSites } from './sites/open-sites.ts';

const SERVICE = 'reference-mcp-server';
const clock = () => new Date();

startOrExit(async () => {
  const config = loadConfig(process.env);
  const log = createLogger({ service: SERVICE, level: config.LOG_LEVEL });

  const store = await openBackend(redisSettingsOf(config), {
    connectionName: SERVICE,
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const http = createHttpClient({ allow: config.OUTBOUND_ALLOW, connectTo: config.CONNECT_TO });
  const health = createHealth({
    checks: { store: () => store.backend.ping(), redis_access: store.checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const metrics = createMetrics(SERVICE);
  redisAccessGauge(metrics.registry, store.checkAccess);
  const reads = keySetReads(metrics.registry);
  const tracer = await openTracer(SERVICE, config, { log });
  const sites = config.sites && openSites(config.sites, { config, clock, log });
  const { app, close } = await createApp({
    resource: config.RESOURCE,
    trustedIssuers: config.TRUSTED_ISSUERS,
    fetch: http.fetch,
    onKeysRead: (issuer, outcome) => reads(issuer)(outcome),
    clients: config.clients,
    allowedOrigins: config.ALLOWED_ORIGINS,
    signingKeys: await createSigningKeys({
      alg: 'ES256',
      clock,
      ...(config.SIGNING_KEYS && { jwks: config.SIGNING_KEYS }),
    }),
    oneTimeStore: createOneTimeStore(store.backend, 'jti:'),
    // Counted in each process separately, which is enough to make guessing hopeless.
    failures: createFailureLimiter({
      limiter: countDecisions(createRateLimiter({ clock }), rateLimitDecisions(metrics.registry)('failures')),
      clock,
    }),
    trustedProxies: config.TRUSTED_PROXIES,
    notes: store.redis ? createRedisNotes({ redis: store.redis, clock }) : createMemoryNotes({ clock }),
    sites: sites?.sites,
    clock,
    log,
    health,
    metrics,
    tracer,
    version: VERSION,
  });
  await runService({
    config,
    app,
    health,
    // Otherwise subscription streams would last until the end of the grace period.
    endStreams: close,
    metrics,
    log,
    typeBase: `${config.RESOURCE}/errors`,
    close: async () => {
      await sites?.close();
      await http.close();
      store.close();
      await tracer?.close();
    },
  });
});
