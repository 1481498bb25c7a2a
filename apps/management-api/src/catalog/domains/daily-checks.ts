import { Counter, repeat } from '@legate/service';
import { createMakeChange } from '../../changes/change.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSaveCheckResult } from './check-result.ts';
import { CHECK_OUTCOMES, createDailyCheck } from './daily-check.ts';
import { createDomainStore } from './store.ts';
import type { TxtLookup } from './txt-lookup.ts';

/** A domain may be checked this much later than it is due. */
const PAUSE_MS = 15 * 60 * 1000;

/** Checks the verified domains in the background, and counts the outcomes. */
export function startDailyChecks(
  { unsharedTenants: tenants, clock, log, metrics }: Platform,
  lookupTxt: TxtLookup,
): { stop(): void } {
  const store = createDomainStore(tenants);
  const checks = new Counter({
    name: 'domain_checks_total',
    help: 'Daily checks of verified domains, by outcome',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  for (const outcome of CHECK_OUTCOMES) checks.inc({ outcome }, 0);
  const work = createDailyCheck({
    store,
    saveResult: createSaveCheckResult({ store, clock, random: Math.random }),
    lookupTxt,
    makeChange: createMakeChange(tenants),
    clock,
    onOutcome(outcome, { organizationId, id }, err) {
      checks.inc({ outcome });
      if (outcome !== 'unavailable' && outcome !== 'error') return;
      log.warn({ err, organization_id: organizationId, domain_id: id }, 'a domain could not be checked');
    },
  });
  const onError = (err: unknown) => log.warn({ err }, 'the domains due for a check cannot be read');
  const repeating = repeat({ work, pauseMs: PAUSE_MS, onError });
  // Not awaited: the DNS may be slow, and unsaved checks are due again within an hour.
  return { stop: () => void repeating.stop() };
}
