export { connectionFault } from './connection-fault.ts';
export { type ConnectionShare, shareConnections } from './connection-shares.ts';
export { ConnectionShareExceeded, DatabaseUnavailable } from './errors.ts';
export {
  type MigrationLog,
  requireMigrations,
  runMigrations,
  SchemaOfDevelopment,
  SchemaTooOld,
} from './migrations.ts';
export { type Connection, createPool, type Pool, poolState } from './pool.ts';
export {
  createTenantDatabase,
  type NamedStatement,
  type Statement,
  type TenantConnection,
  type TenantDatabase,
} from './tenant-database.ts';
