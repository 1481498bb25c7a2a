import { createTenantDatabase } from '@legate/postgres';
import { createLogger, Registry, startOrExit } from '@legate/service';
import { loadDatabaseConfig } from './config.ts';
import { APPLICATION_ROLE, openDatabase } from './database.ts';
import { createPurging } from './purge/purging.ts';

/** One run of the purge, for a scheduler of the operator's; exits with 1 where it fails. */
startOrExit(async () => {
  const config = loadDatabaseConfig(process.env, { login: 'application' });
  const log = createLogger({ service: 'management-api', level: config.LOG_LEVEL });
  const database = await openDatabase({
    url: config.DATABASE_URL,
    migrationUrl: config.MIGRATION_DATABASE_URL,
    dataDir: config.DATA_DIR,
    migrate: config.MIGRATE_ON_START,
    poolSize: 1,
    log: {
      info: (message) => log.debug(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  try {
    const purge = createPurging({
      tenants: createTenantDatabase(database.pool, { role: APPLICATION_ROLE }),
      auditMonthsKept: config.AUDIT_RETENTION_MONTHS,
      clock: () => new Date(),
      log,
      registry: new Registry(),
    });
    await purge();
  } finally {
    await database.close();
  }
});
