import {
  type ConnectionShare,
  createTenantDatabase,
  type MigrationLog,
  poolState,
  shareConnections,
  type TenantDatabase,
} from '@legate/postgres';
import { type Logger, observedGauge, type Registry } from '@legate/service';
import { APPLICATION_ROLE, type DatabaseAddress, openAsOwner, openDatabase } from '../storage/database.ts';
import { createReader } from '../storage/reader.ts';
import { traceTenants } from '../storage/trace-tenants.ts';

/** Shares of the connections that one organization may use at a time, so that a slow one leaves some (docs/adr/0007). */
const ORGANIZATION_SHARE = 0.5;
const SHARE_ALONE = 0.8;

/**
 * Opens the database of the service, with its replica, metrics and traces.
 * @throws {ConfigError} the database cannot be reached, and why
 */
export async function openStorage(options: {
  address: DatabaseAddress;
  replicaUrl: string | undefined;
  migrate: boolean;
  poolSize: number;
  /** True: one organization may use all connections */
  isSingleOrganization: boolean;
  isTraced: boolean;
  clock: () => Date;
  log: Logger;
  registry: Registry;
}) {
  const { address, replicaUrl, migrate, poolSize, clock, log } = options;
  const database = await openDatabase({
    ...address,
    replicaUrl,
    migrate,
    poolSize,
    log: debugLines(log),
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  observedGauge(options.registry, {
    name: 'postgres_pool_connections',
    help: 'Connections to PostgreSQL that are in use and idle, and requests that wait for one',
    label: 'state',
    observe: () => poolState(database.pool),
  });
  const untraced = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
  const tenants = options.isTraced ? traceTenants(untraced) : untraced;
  const connectionShare: ConnectionShare = {
    max: options.isSingleOrganization ? poolSize : Math.ceil(poolSize * ORGANIZATION_SHARE),
    maxAlone: options.isSingleOrganization ? poolSize : Math.ceil(poolSize * SHARE_ALONE),
  };
  const reader =
    database.replica &&
    createReader({
      primary: shareConnections(tenants, connectionShare),
      replica: shareConnections(
        createTenantDatabase(database.replica, { role: APPLICATION_ROLE }),
        connectionShare,
      ),
      clock,
      onAway: (err) => log.warn({ err }, 'the replica is unavailable: reads go to the primary'),
    });
  return { tenants, connectionShare, reader, close: database.close };
}

/** Opens the database for a job, which needs one connection, while `work` runs. */
export async function withJobDatabase(
  options: { address: DatabaseAddress; migrate: boolean; log: Logger },
  work: (tenants: TenantDatabase) => Promise<void>,
): Promise<void> {
  const { address, migrate, log } = options;
  const database = await openDatabase({
    ...address,
    migrate,
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
  { address, log }: { address: DatabaseAddress; log: Logger },
  work: (tenants: TenantDatabase) => Promise<void>,
): Promise<void> {
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

/** Messages of migrations, for debugging; a failure is also thrown. */
const debugLines = (log: Logger): MigrationLog => ({
  info: (message) => log.debug(message),
  warn: (message) => log.warn(message),
  error: (message) => log.error(message),
});
