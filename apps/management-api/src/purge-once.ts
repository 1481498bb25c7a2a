import { createLogger, Registry, startOrExit } from '@legate/service';
import { loadDatabaseConfig } from './config.ts';
import { createPurging } from './jobs/purge/purging.ts';
import { withJobDatabase } from './storage/open.ts';

/** Runs the purge once, for an external scheduler; exits with 1 if it fails. */
startOrExit(async () => {
  const config = loadDatabaseConfig(process.env, { login: 'application' });
  const log = createLogger({ service: 'management-api', level: config.LOG_LEVEL });
  await withJobDatabase(config, log, async (tenants) => {
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
