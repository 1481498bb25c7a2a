import type { TenantDatabase } from '@legate/postgres';
import { Counter, type Logger, type Registry, repeat } from '@legate/service';
import { ensureAuditPartitions } from '../../changes/audit-log.ts';
import type { Platform } from '../../platform/platform.ts';
import { createPurge } from './service.ts';
import type { PurgeSettings } from './settings.ts';
import { createPurgeStore } from './store.ts';

/** Maximum time between two runs */
const PAUSE_MS = 3_600_000;

interface PurgingDependencies {
  readonly tenants: TenantDatabase;
  /** undefined: the audit trail is kept forever */
  readonly auditMonthsKept: number | undefined;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly registry: Registry;
}

/** Runs the purge once, and reports it in the log and in `purge_runs_total` and `purged_total`. */
export function createPurging(deps: PurgingDependencies): (signal?: AbortSignal) => Promise<void> {
  const { tenants, auditMonthsKept, clock, log, registry } = deps;
  const runs = new Counter({
    name: 'purge_runs_total',
    help: 'Runs of the purge, by outcome: done, left to another process, stopped by a shutdown, or failed',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['done', 'left', 'stopped', 'failed']) runs.inc({ outcome }, 0);
  const purged = new Counter({
    name: 'purged_total',
    help: 'Items that were permanently deleted, by kind; for the audit trail, months',
    labelNames: ['kind'],
    registers: [registry],
  });
  purged.inc({ kind: 'audit_months' }, 0);
  const purge = createPurge({
    store: createPurgeStore(tenants),
    makeAuditMonths: () => ensureAuditPartitions(tenants),
    auditMonthsKept,
    clock,
    onPurged: (kind, gone) => purged.inc({ kind }, gone),
  });

  return async (signal) => {
    const startedAt = performance.now();
    try {
      const { outcome, counts } = await purge(signal);
      runs.inc({ outcome });
      log.info({ outcome, purged: counts, duration_ms: Math.round(performance.now() - startedAt) }, 'purge');
    } catch (err) {
      runs.inc({ outcome: 'failed' });
      throw err;
    }
  };
}

/** Purges in the background. Only one process purges at a time. */
export function startPurging(
  { unsharedTenants: tenants, clock, log, metrics: { registry } }: Platform,
  { AUDIT_RETENTION_MONTHS: auditMonthsKept }: PurgeSettings,
) {
  return repeat({
    work: createPurging({ tenants, auditMonthsKept, clock, log, registry }),
    pauseMs: PAUSE_MS,
    onError: (err) => log.error({ err }, 'the purge failed'),
  });
}
