import { fileURLToPath } from 'node:url';
import { ConfigError, singleOrganization, succeeds } from '@legate/service';
import { z } from 'zod';
import type { DatabaseAddress } from './database.ts';

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
/** `file:///directory`, on this machine */
const embeddedUrl = z.url({ protocol: /^file$/ }).refine(
  succeeds((url: string) => fileURLToPath(url)),
  {
    error: 'must be the URL of a directory, such as file:///var/lib/legate',
  },
);

/** Settings of the database */
export const storageEnvironment = {
  DATABASE_URL: z.union([postgresUrl, embeddedUrl]).optional().meta({
    description:
      'URL of PostgreSQL. The login must be `mgmt_app` or a member of it. `file:///directory` embeds a database in the service, with its data in this directory. Unset: embedded, in `.legate/postgres`. Production requires a PostgreSQL server, and refuses a login that is a superuser, has `BYPASSRLS`, or owns the tables without being the one that migrates.',
    when: 'Operators in production, and developers who keep several embedded databases.',
    example: 'postgres://management_api:…@postgres.example:5432/legate',
    secret: true,
  }),
  MIGRATION_DATABASE_URL: postgresUrl.optional().meta({
    description: 'URL with the login that owns the tables, for migrations. Unset: `DATABASE_URL`.',
    when: 'Operators in production, for the migration alone: the service must not own its tables.',
    example: 'postgres://legate_owner:…@postgres.example:5432/legate',
    secret: true,
  }),
  DATABASE_REPLICA_URL: postgresUrl.optional().meta({
    description:
      'URL of a read replica for usage and the audit trail, which may then be slightly out of date. Unset: `DATABASE_URL` serves all reads.',
    when: 'Operators whose primary is slowed down by reads of the audit trail and usage.',
    example: 'postgres://management_api:…@replica.example:5432/legate',
    secret: true,
  }),
  MIGRATE_ON_START: z.stringbool().default(true).meta({
    description:
      'Whether the service migrates the database at start. If false, it starts only after `dist/migrate.js` has run.',
    when: 'Operators who migrate in a step of the rollout, as on Kubernetes.',
  }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10).meta({
    description: 'Maximum number of connections to the database.',
    when: 'Operators whose PostgreSQL allows fewer connections, or whose requests wait for one (`postgres_pool_connections`).',
  }),
  SINGLE_ORGANIZATION: singleOrganization,
};

export type StorageSettings = Readonly<z.output<z.ZodObject<typeof storageEnvironment>>>;

/** Settings that locate the database */
export type DatabaseSettings = Pick<StorageSettings, 'DATABASE_URL' | 'MIGRATION_DATABASE_URL'>;

/** Default directory of the embedded database */
const DATA_DIR = '.legate/postgres';

export const databaseAddressOf = (settings: DatabaseSettings): DatabaseAddress => ({
  url: isEmbedded(settings) ? undefined : settings.DATABASE_URL,
  migrationUrl: settings.MIGRATION_DATABASE_URL,
  dataDir: embeddedDirOf(settings) ?? DATA_DIR,
});

/** Returns the directory of the embedded database; undefined if a PostgreSQL server is used. */
export function embeddedDirOf(settings: DatabaseSettings): string | undefined {
  if (!isEmbedded(settings)) return undefined;
  return settings.DATABASE_URL === undefined ? DATA_DIR : fileURLToPath(settings.DATABASE_URL);
}

export const isEmbedded = ({ DATABASE_URL: url }: DatabaseSettings): boolean =>
  url === undefined || url.startsWith('file:');

/**
 * Refuses the embedded database in production: a container would lose its data when it is removed.
 * @throws {ConfigError}
 */
export function refuseEmbedded(settings: DatabaseSettings & { readonly NODE_ENV: string }): void {
  if (settings.NODE_ENV === 'production' && settings.DATABASE_URL?.startsWith('file:'))
    throw new ConfigError(['DATABASE_URL: the embedded database is refused in production']);
}
