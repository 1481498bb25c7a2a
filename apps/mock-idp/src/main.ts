import { randomBytes } from 'node:crypto';
import { createSigningKeys } from '@legate/jwt';
import { createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import { type Backend, connectRedis, createMemoryBackend, createRedisBackend } from '@legate/secure-store';
import { createHealth, createLogger, createMetrics, runService, startOrExit } from '@legate/service';
import { createApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import { createDirectory } from './directory/directory.ts';
import { createMemoryDocuments, createRedisDocuments, type OpenDocuments } from './directory/documents.ts';
import { seedDirectory } from './directory/seed.ts';

const clock = () => new Date();

startOrExit(async () => {
  const config = loadConfig(process.env);
  const log = createLogger({ service: 'mock-idp', level: config.LOG_LEVEL });
  const stores = await openStores(config, (err) => log.warn({ err }, 'redis'));
  const directory = createDirectory(stores.documents);
  await seedDirectory(directory, config.directory, clock);

  const health = createHealth({
    checks: { store: () => stores.backend.ping() },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const metrics = createMetrics('mock-idp');
  const app = await createApp({
    issuer: config.ISSUER,
    keys: await createSigningKeys({
      alg: 'RS256',
      clock,
      ...(config.SIGNING_KEYS && { jwks: config.SIGNING_KEYS }),
    }),
    cookieKeys: config.COOKIE_KEYS ?? [randomBytes(32).toString('base64url')],
    adminApiKey: config.ADMIN_API_KEY,
    directory,
    backend: stores.backend,
    // In each process: it only has to make guessing hopeless.
    failures: createFailureLimiter({ limiter: createRateLimiter({ clock }), clock }),
    trustedProxies: config.TRUSTED_PROXIES,
    clock,
    log,
    health,
    metrics,
  });
  await runService({
    config,
    app,
    health,
    metrics,
    log,
    close: stores.close,
  });
});

async function openStores(
  config: Config,
  onError: (err: Error) => void,
): Promise<{ backend: Backend; documents: OpenDocuments; close: () => Promise<void> }> {
  if (config.REDIS_URL === undefined) {
    return {
      backend: createMemoryBackend({ clock }),
      documents: createMemoryDocuments(),
      close: async () => {},
    };
  }
  const redis = await connectRedis(config.REDIS_URL, { keyPrefix: config.REDIS_KEY_PREFIX, onError });
  return {
    backend: createRedisBackend(redis),
    documents: createRedisDocuments(redis),
    close: async () => redis.disconnect(),
  };
}
