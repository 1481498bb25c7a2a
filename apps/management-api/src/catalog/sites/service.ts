import { isDeepStrictEqual } from 'node:util';
import type { SiteId } from '@legate/ids';
import type { Problem } from '@legate/service';
import type { Change } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { VersionCheck } from '../../domain/stored.ts';
import { createLifeCycle } from '../resources/life-cycle.ts';
import type { CheckQuota } from '../resources/quota.ts';
import type { OriginStore } from './origin-store.ts';
import { type CreateSite, MAX_ORIGINS, type Site, type UpdateSite } from './site.ts';
import type { SiteStore } from './store.ts';

const FIELDS = ['name', 'allowed_origins'] as const;

export type Sites = ReturnType<typeof createSites>;

export function createSites(deps: {
  store: SiteStore;
  origins: OriginStore;
  checkQuota: CheckQuota;
  clock: () => Date;
}) {
  const { store, origins, checkQuota, clock } = deps;
  const lifeCycle = createLifeCycle({
    store,
    checkQuota,
    clock,
    type: 'site',
    idPrefix: 'site',
    fields: FIELDS,
  });

  return {
    list: lifeCycle.list,
    find: lifeCycle.find,
    restore: lifeCycle.restore,
    purge: lifeCycle.purge,
    remove: (change: Change, id: SiteId, check: VersionCheck) => lifeCycle.remove(change, id, check),
    /** Locks the site for a change of its parts. */
    lock: async (change: Change, id: SiteId) => (await lifeCycle.lock(change, id)).value,
    create: (change: Change, { name, allowed_origins }: CreateSite) =>
      lifeCycle.create(change, (id) => store.create(change, id, name, allowed_origins)),
    async update(change: Change, id: SiteId, check: VersionCheck, patch: (current: Site) => UpdateSite) {
      const before = await lifeCycle.lock(change, id, check);
      const { name, allowed_origins } = patch(before.value);
      if (name !== undefined) await store.rename(change, id, name);
      if (allowed_origins !== undefined) {
        await origins.replacePermanent(change, id, allowed_origins, clock());
      }
      // Reads the site again: the remaining origins also depend on the temporary ones.
      const after = await store.write(change, id);
      if (isDeepStrictEqual(before.value, after.value)) return after;
      if (after.value.allowed_origins.length > MAX_ORIGINS) throw originLimitReached();
      await lifeCycle.recordUpdate(change, before.value, after.value);
      return store.raiseVersion(change, id);
    },
  };
}

export const originLimitReached = (): Problem =>
  problem('origin_limit_reached', {
    detail: `A site has at most ${MAX_ORIGINS} origins, including those with a time limit.`,
  });
