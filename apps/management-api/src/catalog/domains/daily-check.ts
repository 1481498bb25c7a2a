import { Problem } from '@legate/service';
import type { MakeChange } from '../../changes/change.ts';
import { systemAuthor } from '../../domain/author.ts';
import type { SaveCheckResult } from './check-result.ts';
import { hasRecord } from './has-record.ts';
import type { DomainStore, DueDomain } from './store.ts';
import { DnsUnavailable, type TxtLookup } from './txt-lookup.ts';

/**
 * `gone`: the domain was removed in the meantime, or is no longer verified. `unavailable`: the DNS did not
 * respond, which changes nothing.
 */
export const CHECK_OUTCOMES = ['found', 'missing', 'failed', 'gone', 'unavailable', 'error'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** Number of domains that are taken at once and queried in parallel */
const BATCH = 10;
/** Time until a check without a result is retried, because the DNS failed or the process ended */
const AGAIN_MS = 3600 * 1000;

/**
 * Checks all due verified domains of all organizations. Any number of processes may run it at once: each
 * domain is checked by one of them. No transaction is open during a DNS query.
 * @param deps.onOutcome called for each domain; with the cause if there is no result
 * @returns a function that rejects only if it cannot read the due domains
 */
export function createDailyCheck(deps: {
  store: Pick<DomainStore, 'takeDue' | 'find'>;
  saveResult: SaveCheckResult;
  lookupTxt: TxtLookup;
  makeChange: MakeChange;
  clock: () => Date;
  onOutcome: (outcome: CheckOutcome, domain: DueDomain, cause?: unknown) => void;
}): (signal: AbortSignal) => Promise<void> {
  const { store, saveResult, lookupTxt, makeChange, clock, onOutcome } = deps;

  async function check(due: DueDomain): Promise<void> {
    const { organizationId, id } = due;
    try {
      const domain = await store.find(organizationId, id);
      if (!domain) return onOutcome('gone', due);
      const isFound = await hasRecord(domain.value, lookupTxt);
      const { value: after } = await makeChange(systemAuthor(organizationId), (change) =>
        saveResult(change, id, isFound),
      );
      if (after.state === 'verified') onOutcome(isFound ? 'found' : 'missing', due);
      else onOutcome(after.state === 'failed' ? 'failed' : 'gone', due);
    } catch (err) {
      onOutcome(outcomeOf(err), due, err);
    }
  }

  return async (signal) => {
    let due: readonly DueDomain[];
    do {
      const now = clock();
      due = await store.takeDue(now, new Date(now.getTime() + AGAIN_MS), BATCH);
      await Promise.all(due.map(check));
    } while (due.length === BATCH && !signal.aborted);
  };
}

function outcomeOf(err: unknown): CheckOutcome {
  if (err instanceof DnsUnavailable) return 'unavailable';
  return err instanceof Problem && err.status === 404 ? 'gone' : 'error';
}
