import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import type { DomainId } from '../../domain/ids.ts';
import { existing, type Stored } from '../../domain/stored.ts';
import type { Domain } from './domain.ts';
import { recordDomain } from './service.ts';
import type { DomainStore } from './store.ts';

const HOUR_MS = 3600 * 1000;
const CHECK_EVERY_MS = 24 * HOUR_MS;
/** Spreads the checks over time, so that domains that were verified together are not always checked together. */
const CHECK_JITTER_MS = HOUR_MS;
const FAILS_AT = 3;

/**
 * Saves that the record was found, or that it is missing for a verified domain; an unverified domain does not
 * change.
 * @param id of an existing domain
 * @throws {Problem} 404 if it has been deleted; 409 `domain_verified_elsewhere`
 * @param failsAt number of consecutive checks without the record after which the verification ends. Default
 * 3: a mistake in a zone lasts hours, not days
 */
export type SaveCheckResult = (
  change: Change,
  id: DomainId,
  isFound: boolean,
  failsAt?: number,
) => Promise<Stored<Domain>>;

/** @param deps.random from 0 to 1 */
export function createSaveCheckResult(deps: {
  store: Pick<DomainStore, 'lock' | 'saveFound' | 'saveMissing'>;
  clock: () => Date;
  random: () => number;
}): SaveCheckResult {
  const { store, clock, random } = deps;
  return async (change, id, isFound, failsAt = FAILS_AT) => {
    const before = existing('domain', await store.lock(change, id));
    if (!isFound && before.value.state !== 'verified') return before;
    const now = clock();
    const checkAt = new Date(now.getTime() + CHECK_EVERY_MS + random() * CHECK_JITTER_MS);
    const after = isFound
      ? await store.saveFound(change, id, now, checkAt)
      : await store.saveMissing(change, id, checkAt, failsAt);
    const { state } = after.value;
    if (state !== before.value.state && state !== 'pending') {
      await recordDomain(change, state, after.value, changesBetween(before.value, after.value, ['state']));
    }
    return after;
  };
}
