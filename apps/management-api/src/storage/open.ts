import {
  type ConnectionShare,
  createTenantDatabase,
  type MigrationLog,
  poolState,
  shareConnections,
  type TenantDatabase,
} from '@legate/postgres';
import { type Logger, type Metrics, observedGauge } from '@legate/service';
import { APPLICATION_ROLE, openAsOwner, openDatabase } from './database.ts';
import { createReader } from './reader.ts';
import { type DatabaseSettings, databaseAddressOf, type StorageSettings } from './settings.ts';
import { traceTenants } from './trace-tenants.ts';

/**
 * Shares of the connections that one organization may use at a time, so that a slow one leaves some for
 * others (docs/adr/0007).
 */
const ORGANIZATION_SHARE = 0.5;
const SHARE_ALONE = 0.8;

/**
 * Opens the database of the service, with its replica, metrics and traces.
 * @throws {ConfigError} the database cannot be reached, with the reason
 */
export async function openStorage(
  settings: StorageSettings & { readonly NODE_ENV: string },
  deps: { isTraced: boolean; clock: () => Date; log: Logger; metrics: Metrics },
) {
  const { clock, log, metrics } = deps;
  const { DATABASE_POOL_SIZE: poolSize, SINGLE_ORGANIZATION: isSingle } = settings;
  const database = await openDatabase({
    ...databaseAddressOf(settings),
    replicaUrl: settings.DATABASE_REPLICA_URL,
    migrate: settings.MIGRATE_ON_START,
    checkLogin: settings.NODE_ENV === 'production',
    poolSize,
    log: debugLines(log),
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  observedGauge(metrics.registry, {
    name: 'postgres_pool_connections',
    help: 'Connections to PostgreSQL that are in use or idle, and requests that wait for one',
    label: 'state',
    observe: () => poolState(database.pool),
  });
  const untraced = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
  const unsharedTenants = deps.isTraced ? traceTenants(untraced) : untraced;
  const share: ConnectionShare = {
    max: isSingle ? poolSize : Math.ceil(poolSize * ORGANIZATION_SHARE),
    maxAlone: isSingle ? poolSize : Math.ceil(poolSize * SHARE_ALONE),
  };
  const tenants = shareConnections(unsharedTenants, share);
  const reader = database.replica
    ? createReader({
        primary: tenants,
        replica: shareConnections(createTenantDatabase(database.replica, { role: APPLICATION_ROLE }), share),
        clock,
        onAway: (err) => log.warn({ err }, 'the replica is unavailable: reads go to the primary'),
      })
    : tenants;
  return { tenants, unsharedTenants, reader, maxConnections: share.maxAlone, close: database.close };
}

/**
 * Opens the database for a job, which needs one connection, while `work` runs. It must have been migrated: the login of
 * a job need not own the tables.
 */
export async function withJobDatabase(
  settings: DatabaseSettings,
  log: Logger,
  work: (tenants: TenantDatabase) => Promise<void>,
): Promise<void> {
  const database = await openDatabase({
    ...databaseAddressOf(settings),
    migrate: false,
    poolSize: 1,
    log: debugLines(log),
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  try {
    await work(createTenantDatabase(database.pool, { role: APPLICATION_ROLE }));
  } finally {
    await database.close();
  }
}

/** Opens the database as the owner of its tables, while `work` runs. It must have been migrated. */
export async function withOwnerDatabase(
  settings: DatabaseSettings,
  log: Logger,
  work: (tenants: TenantDatabase) => Promise<void>,
): Promise<void> {
  const address = databaseAddressOf(settings);
  const database = await openAsOwner({
    ...address,
    url: address.url ?? address.migrationUrl,
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  try {
    await work(database.tenants);
  } finally {
    await database.close();
  }
}

/** Logs messages of migrations for debugging; a failure is also thrown. */
const debugLines = (log: Logger): MigrationLog => ({
  info: (message) => log.debug(message),
  warn: (message) => log.warn(message),
  error: (message) => log.error(message),
});
