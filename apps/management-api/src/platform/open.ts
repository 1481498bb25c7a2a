import { openBackend, redisSettingsOf } from '@legate/secure-store';
import {
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  type Health,
  openTracer,
  redisAccessGauge,
  type Tracer,
  userAgentOf,
} from '@legate/service';
import { openStorage } from '../storage/open.ts';
import type { StorageSettings } from '../storage/settings.ts';
import type { Platform } from './platform.ts';
import type { PlatformSettings } from './settings.ts';

/** The platform of a process, and the parts of it that only the process itself uses. */
export interface OpenPlatform {
  readonly platform: Platform;
  readonly health: Health;
  /** undefined: no spans are created. */
  readonly tracer: Tracer | undefined;
  /** Database connections that one organization may use while no other organization needs any */
  readonly maxConnections: number;
  /** Closes store, connections and database; call it after everything that uses them is closed. */
  close(): Promise<void>;
}

const SERVICE = 'management-api';

/** Opens the platform of a process: logs, metrics, spans, the database, the store, and connections to peers. */
export async function openPlatform(
  settings: PlatformSettings & StorageSettings & { readonly PUBLIC_URL?: string | undefined },
): Promise<OpenPlatform> {
  const clock = () => new Date();
  const log = createLogger({ service: SERVICE, level: settings.LOG_LEVEL });
  const metrics = createMetrics(SERVICE);
  const tracer = await openTracer(SERVICE, settings, { log });
  const {
    close: closeStorage,
    maxConnections,
    ...storage
  } = await openStorage(settings, { isTraced: tracer !== undefined, clock, log, metrics });
  const {
    checkAccess,
    close: closeStore,
    ...store
  } = await openBackend(redisSettingsOf(settings), {
    connectionName: SERVICE,
    keyPrefix: settings.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  redisAccessGauge(metrics.registry, checkAccess);
  const http = createHttpClient({
    allow: settings.OUTBOUND_ALLOW,
    connectTo: settings.CONNECT_TO,
    userAgent: userAgentOf(settings.PUBLIC_URL),
  });
  const health = createHealth({
    checks: { postgres: storage.unsharedTenants.ping, redis_access: checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  return {
    platform: {
      resource: settings.RESOURCE,
      issuer: settings.IDP_ISSUER,
      ...storage,
      ...{ http, redis: store.redis, backend: store.backend, clock, log, metrics },
    },
    health,
    tracer,
    maxConnections,
    async close() {
      closeStore();
      await http.close();
      await closeStorage();
      await tracer?.close();
    },
  };
}
