import { LRUCache } from 'lru-cache';
import type { Caller } from '../../domain/caller.ts';
import { storable } from '../../domain/storable-text.ts';
import type { Organization } from './organization-store.ts';
import type { Membership, Seen, StandingStore } from './standing-store.ts';

/**
 * Saves the data that a token contains about an active member, if it differs from the stored data, and hourly that
 * they were seen; missing claims change nothing. Never throws, because it must not fail the request.
 */
export type NoteSeen = (
  organization: Pick<Organization, 'id'>,
  membership: Extract<Membership, { state: 'active' }>,
  caller: Caller,
) => Promise<void>;

const SEEN_EVERY_MS = 3600 * 1000;
/** Pause before the same fields are saved again: bounds writes for two alternating tokens, and retries after a failure. */
const PAUSE_MS = 30 * 1000;
const MAX_NOTED = 10_000;

export function createNoteSeen(deps: {
  store: Pick<StandingStore, 'saveSeen'>;
  clock: () => Date;
  onLost: (err: unknown) => void;
}): NoteSeen {
  const { store, clock, onLost } = deps;
  const noted = new LRUCache<string, true>({
    max: MAX_NOTED,
    ttl: PAUSE_MS,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });
  return async ({ id }, membership, caller) => {
    const now = clock();
    const lastSeenAt = membership.lastSeenAt;
    const isSeenAnew = lastSeenAt === null || now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS;
    const seen: Seen = {
      issuer: caller.issuer,
      email: storable(caller.email) ?? membership.email,
      emailVerified: caller.emailVerified ?? membership.emailVerified,
      name: storable(caller.name) ?? membership.name,
      lastSeenAt: isSeenAnew ? now : lastSeenAt,
    };
    const changed = (Object.keys(seen) as (keyof Seen)[]).filter(
      (field) => seen[field] !== membership[field],
    );
    if (changed.length === 0) return;
    // The key contains the fields, so that a new name is saved even if another field was saved just before
    const key = `${id}:${changed}:${caller.subject}`;
    if (noted.has(key)) return;
    noted.set(key, true);
    await store.saveSeen(id, caller.subject, seen).catch(onLost);
  };
}
