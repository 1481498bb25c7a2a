import type { TenantDatabase } from '@legate/postgres';
import type { Logger, Registry } from '@legate/service';
import { startDailyChecks } from '../domains/daily-checks.ts';
import type { TxtLookup } from '../domains/txt-lookup.ts';
import { startWatchingOwners } from '../members/watch-owners.ts';
import { startPurging } from '../purge/purging.ts';
import { startHub } from '../revocations/hub.ts';
import type { HubSettings } from '../revocations/settings.ts';
import { startUsageCounting } from '../usage/counting.ts';

/** Longest time between two runs of the purge */
const PURGE_PAUSE_SECONDS = 3600;

/** Starts the background work: counting, daily checks of domains, delivery to the hub, and the purge. */
export function startBackground(options: {
  tenants: TenantDatabase;
  lookupTxt: TxtLookup;
  /** undefined: there is no hub */
  hub: HubSettings | undefined;
  fetch: typeof globalThis.fetch;
  /** undefined: the audit trail is kept for ever */
  auditMonthsKept: number | undefined;
  clock: () => Date;
  log: Logger;
  registry: Registry;
}) {
  const { tenants, lookupTxt, fetch, auditMonthsKept, clock, log, registry } = options;
  const usage = startUsageCounting({ tenants, clock, log, registry });
  const dailyChecks = startDailyChecks({ tenants, lookupTxt, clock, log, registry });
  const owners = startWatchingOwners({ tenants, log, registry });
  const hub = options.hub && startHub({ settings: options.hub, tenants, fetch, clock, log, registry });
  const purging = startPurging({
    tenants,
    auditMonthsKept,
    pauseSeconds: PURGE_PAUSE_SECONDS,
    clock,
    log,
    registry,
  });
  return {
    usage,
    hub,
    /** Ends all of it, and saves what is left. */
    async stop() {
      await purging.stop();
      dailyChecks.stop();
      await owners.stop();
      await usage.stop();
      await hub?.stop();
    },
  };
}
