export { DatabaseUnavailable } from './errors.ts';
export { type MigrationLog, runMigrations } from './migrations.ts';
export { type Connection, createPool, type Pool } from './pool.ts';
export {
  createTenantDatabase,
  type NamedStatement,
  type Statement,
  type TenantConnection,
  type TenantDatabase,
} from './tenant-database.ts';
