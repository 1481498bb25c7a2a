import type { HappensTo } from '@legate/management-contract';
import { notActive } from '../../callers/standing/not-active.ts';
import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Stored, VersionCheck } from '../../domain/stored.ts';
import type { OrganizationBody } from './organization.ts';
import type { Profile, ProfileStore } from './profile-store.ts';
import { toStored } from './stored-profile.ts';

/** The author of a suspension: an owner through the API, or the operator, whose suspension owners cannot end */
export type LifeCycleAuthor = NonNullable<OrganizationBody['suspended_by']>;

export type OrganizationLifeCycle = ReturnType<typeof createOrganizationLifeCycle>;

const RECORDED = ['status', 'suspended_by', 'purge_at'] as const;
const KEPT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/**
 * Suspends, deletes and restores organizations. Suspension and deletion are independent: a restored organization
 * is suspended if it was before. All operations may be repeated; a call that changes nothing is not recorded.
 */
export function createOrganizationLifeCycle(deps: {
  store: ProfileStore;
  /** Lets others verify the domains of a deleted organization. @returns how many domains it had verified */
  releaseDomains: (change: Change) => Promise<number>;
  clock: () => Date;
}) {
  const { store, releaseDomains, clock } = deps;

  async function record(
    change: Change,
    what: HappensTo<'organization'>,
    { before, after }: Record<'before' | 'after', OrganizationBody>,
    details: Readonly<Record<string, string | number | undefined>>,
  ) {
    const known = Object.entries(details).filter(([, value]) => value !== undefined);
    await change.record({
      action: `organization.${what}`,
      targets: [{ type: 'organization', id: after.id, name: after.name }],
      changes: changesBetween(before, after, RECORDED),
      ...(known.length > 0 && { details: Object.fromEntries(known) as Record<string, string | number> }),
    });
  }

  /** Locks the organization, and returns without a change if `isDone` returns true. */
  async function changeOnce(
    change: Change,
    what: HappensTo<'organization'>,
    isDone: (before: Stored<OrganizationBody>) => boolean,
    save: () => Promise<{ profile: Profile; details: Readonly<Record<string, string | number | undefined>> }>,
  ): Promise<Stored<OrganizationBody>> {
    const before = toStored(await store.lock(change));
    if (isDone(before)) return before;
    const { profile, details } = await save();
    const after = toStored(profile);
    await record(change, what, { before: before.value, after: after.value }, details);
    return after;
  }

  return {
    /** The operator takes over an owner's suspension, but an owner does not take over the operator's. */
    suspend: (change: Change, by: LifeCycleAuthor, reason: string | undefined) =>
      changeOnce(
        change,
        'suspended',
        ({ value }) => value.suspended_by === by || value.suspended_by === 'operator',
        async () => ({ profile: await store.suspend(change, clock(), by), details: { reason } }),
      ),
    /** @throws {Problem} 403 `suspended_by_operator`; `organization_deleted`, since it must be restored first */
    reactivate: (change: Change, by: LifeCycleAuthor, reason?: string) =>
      changeOnce(
        change,
        'reactivated',
        ({ value: { status, suspended_by, purge_at } }) => {
          if (status === 'deleted') throw notActive({ status, purgeAt: dateOf(purge_at) });
          if (suspended_by === 'operator' && by === 'owner') {
            throw problem('suspended_by_operator', {
              detail: 'Only the operator can reactivate the organization.',
            });
          }
          return suspended_by === null;
        },
        async () => ({ profile: await store.reactivate(change), details: { reason } }),
      ),
    /**
     * Locks everyone out of the organization from now on; after 30 days it may be purged.
     * @throws {Problem} 409 `confirmation_mismatch` if `confirm` is not its name; 412
     */
    remove: (change: Change, check: VersionCheck, confirm: string) =>
      changeOnce(
        change,
        'deleted',
        ({ value, version }) => {
          check(version);
          if (confirm !== value.name) {
            throw problem('confirmation_mismatch', {
              detail: 'Send the exact name of the organization as confirm.',
            });
          }
          return value.status === 'deleted';
        },
        async () => {
          const now = clock();
          const profile = await store.remove(change, now, new Date(now.getTime() + KEPT_DAYS * DAY_MS));
          return { profile, details: { domains_to_verify: (await releaseDomains(change)) || undefined } };
        },
      ),
    /** @throws {Problem} 403 `organization_deleted` once the time of its purge has come */
    restore: (change: Change, reason?: string) =>
      changeOnce(
        change,
        'restored',
        ({ value: { status, purge_at } }) => {
          const purgeAt = dateOf(purge_at);
          if (purgeAt && purgeAt <= clock()) throw notActive({ status: 'deleted', purgeAt: null });
          return status !== 'deleted';
        },
        async () => ({ profile: await store.restore(change), details: { reason } }),
      ),
  };
}

const dateOf = (instant: string | null): Date | null => (instant === null ? null : new Date(instant));
