import { createLogger, startOrExit } from '@legate/service';
import { loadDatabaseConfig } from './config.ts';
import { migrateDatabase } from './storage/database.ts';
import { databaseAddressOf } from './storage/settings.ts';

/** Migrates the database, for a job that runs before a new version is deployed; exits with 1 if it fails. */
startOrExit(async () => {
  const config = loadDatabaseConfig(process.env, { login: 'owner' });
  const address = databaseAddressOf(config);
  const log = createLogger({ service: 'management-api', level: config.LOG_LEVEL });
  const debug = (message: string) => log.debug(message); // the error itself is the last line of the log
  const applied = await migrateDatabase({
    ...address,
    url: address.url ?? address.migrationUrl,
    log: { info: debug, warn: debug, error: debug },
  });
  log.info({ applied }, 'migrated');
}, 'the database could not be migrated');
