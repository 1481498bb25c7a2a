import { fileURLToPath } from 'node:url';
import { ConfigError } from '@legate/service';
import type { DatabaseAddress } from './database.ts';

export interface DatabaseSettings {
  readonly DATABASE_URL?: string | undefined;
  readonly MIGRATION_DATABASE_URL?: string | undefined;
}

/** Where the embedded database is by default */
const DATA_DIR = '.legate/postgres';

export const databaseAddressOf = (settings: DatabaseSettings): DatabaseAddress => ({
  url: isEmbedded(settings) ? undefined : settings.DATABASE_URL,
  migrationUrl: settings.MIGRATION_DATABASE_URL,
  dataDir: embeddedDirOf(settings) ?? DATA_DIR,
});

/** Returns the directory of the embedded database; undefined with a PostgreSQL server. */
export function embeddedDirOf(settings: DatabaseSettings): string | undefined {
  if (!isEmbedded(settings)) return undefined;
  return settings.DATABASE_URL === undefined ? DATA_DIR : fileURLToPath(settings.DATABASE_URL);
}

export const isEmbedded = ({ DATABASE_URL: url }: DatabaseSettings): boolean =>
  url === undefined || url.startsWith('file:');

/**
 * A container without a server would lose its data with itself.
 * @throws {ConfigError}
 */
export function refuseEmbedded(settings: DatabaseSettings & { readonly NODE_ENV: string }): void {
  if (settings.NODE_ENV === 'production' && settings.DATABASE_URL?.startsWith('file:'))
    throw new ConfigError(['DATABASE_URL: the embedded database is refused in production']);
}
