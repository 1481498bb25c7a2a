import { createSigningKeys } from '@legate/jwt';
import { createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import { createUseOnce, openBackend } from '@legate/secure-store';
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
import { createMemoryNotes } from './notes/store.ts';
import { openSites } from './sites/open-sites.ts';

const SERVICE = 'reference-mcp-server';
const VERSION = '0.1.0';
const clock = () => new Date();

startOrExit(async () => {
  const config = loadConfig(process.env);
  const log = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  if (config.NODE_ENV === 'production' && !config.SIGNING_KEYS)
    log.warn(
      'SIGNING_KEYS_FILE is not set: access tokens end with this process, and no other replica takes them',
    );
  if (config.NODE_ENV === 'production' && !config.REDIS_URL)
    log.warn('REDIS_URL is not set: a second replica would redeem the same ID-JAG again');

  const store = await openBackend(config.REDIS_URL, {
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const http = createHttpClient({ allow: config.OUTBOUND_ALLOW, connectTo: config.CONNECT_TO });
  const health = createHealth({
    checks: { store: () => store.backend.ping() },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const metrics = createMetrics(SERVICE);
  const sites = config.sites && openSites(config.sites, { config, clock, log });
  const { app, close } = createApp({
    resource: config.RESOURCE,
    trustedIssuers: config.TRUSTED_ISSUERS,
    getJson: http.getJson,
    clients: config.clients,
    clientAssertionAudience: config.CLIENT_ASSERTION_AUDIENCE,
    accessTokenIssuer: config.ACCESS_TOKEN_ISSUER,
    allowedOrigins: config.ALLOWED_ORIGINS,
    signingKeys: await createSigningKeys({
      alg: 'ES256',
      clock,
      ...(config.SIGNING_KEYS && { jwks: config.SIGNING_KEYS }),
    }),
    useOnce: createUseOnce(store.backend, 'jti:'),
    // In each process: it only has to make guessing hopeless.
    failures: createFailureLimiter({ limiter: createRateLimiter({ clock }), clock }),
    trustedProxies: config.TRUSTED_PROXIES,
    notes: createMemoryNotes({ clock }),
    sites: sites?.sites,
    clock,
    log,
    health,
    metrics,
    version: VERSION,
  });
  await runService({
    config,
    app,
    health: {
      drain() {
        health.drain();
        // Subscription streams would otherwise last until the end of the grace time.
        close().catch((err: unknown) => log.warn({ err }, 'could not end the streams'));
      },
    },
    metrics,
    log,
    close: async () => {
      await sites?.close();
      await http.close();
      store.close();
    },
  });
});
