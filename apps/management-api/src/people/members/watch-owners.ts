import type { TenantDatabase } from '@legate/postgres';
import { Gauge, type Registry, repeat } from '@legate/service';
import type { Platform } from '../../platform/platform.ts';

/** A long interval: the count reads every organization, and no alert depends on it. */
const PAUSE_MS = 10 * 60 * 1000;

/** Returns a function that sets the metric of organizations without an owner, to which the operator may appoint one. */
export function createOwnerCount(deps: {
  tenants: Pick<TenantDatabase, 'queryAsTenant'>;
  registry: Registry;
}): () => Promise<void> {
  const gauge = new Gauge({
    name: 'organizations_without_owner',
    help: 'Organizations that have members but no owner',
    registers: [deps.registry],
  });
  return async () => {
    const [row] = await deps.tenants.queryAsTenant<{ found: number }>('', {
      name: 'organizations_without_owner',
      text: 'SELECT organizations_without_owner()::int AS found',
      values: [],
    });
    gauge.set(row?.found ?? 0);
  };
}

/** Counts those organizations at start and then at intervals. */
export function startWatchingOwners({ unsharedTenants: tenants, log, metrics }: Platform): {
  stop(): Promise<void>;
} {
  const work = createOwnerCount({ tenants, registry: metrics.registry });
  const onError = (err: unknown) => log.warn({ err }, 'organizations without an owner could not be counted');
  const first = work().catch(onError);
  const repeating = repeat({ work, pauseMs: PAUSE_MS, onError });
  return {
    async stop() {
      await repeating.stop();
      await first;
    },
  };
}
