import { createLogger, Registry, startOrExit } from '@legate/service';
import { databaseAddressOf, loadDatabaseConfig } from './config.ts';
import { createPurging } from './purge/purging.ts';
import { withJobDatabase } from './wiring/open-storage.ts';

/** One run of the purge, for an external scheduler; exits with 1 if it fails. */
startOrExit(async () => {
  const config = loadDatabaseConfig(process.env, { login: 'application' });
  const log = createLogger({ service: 'management-api', level: config.LOG_LEVEL });
  const address = databaseAddressOf(config);
  await withJobDatabase({ address, migrate: config.MIGRATE_ON_START, log }, async (tenants) => {
    const purge = createPurging({
      tenants,
      auditMonthsKept: config.AUDIT_RETENTION_MONTHS,
      clock: () => new Date(),
      log,
      registry: new Registry(),
    });
    await purge();
  });
});
