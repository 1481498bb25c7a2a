import { shareConnections, type TenantDatabase } from '@legate/postgres';
import { createMemoryBackend } from '@legate/secure-store';
import { createLogger, createMetrics, type HttpClient } from '@legate/service';
import type { Platform } from '../platform/platform.ts';

export const ISSUER = 'https://idp.example';
export const RESOURCE = 'https://api.example';

/** Returns a platform without Redis and without a network; HTTP requests get only what `getJson` returns. */
export function createTestPlatform(options: {
  tenants: TenantDatabase;
  clock: () => Date;
  getJson?: HttpClient['getJson'];
}): Platform {
  const { tenants: unsharedTenants, clock, getJson = notReached } = options;
  const tenants = shareConnections(unsharedTenants, { max: 5, maxAlone: 8 });
  return {
    resource: RESOURCE,
    issuer: ISSUER,
    ...{ tenants, unsharedTenants, reader: tenants, clock },
    http: { fetch: notReached, getJson },
    redis: undefined,
    backend: createMemoryBackend({ clock }),
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
  };
}

const notReached = () => Promise.reject(new Error('cannot be reached'));
