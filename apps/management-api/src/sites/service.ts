import { isDeepStrictEqual } from 'node:util';
import type { SiteId } from '@legate/ids';
import type { Problem } from '@legate/service';
import type { Change } from '../changes/change.ts';
import { problem } from '../domain/problem-codes.ts';
import type { VersionCheck } from '../domain/stored.ts';
import { createLifeCycle, type ResourceService } from '../resources/life-cycle.ts';
import type { CheckQuota } from '../resources/quota.ts';
import type { OriginStore } from './origin-store.ts';
import { type CreateSite, type ListSites, MAX_ORIGINS, type Site, type UpdateSite } from './site.ts';
import type { SiteStore } from './store.ts';

const FIELDS = ['name', 'allowed_origins'] as const;

export interface Sites extends ResourceService<Site, ListSites, CreateSite, UpdateSite> {
  remove(change: Change, id: SiteId, check: VersionCheck): Promise<void>;
}

export function createSites(deps: {
  store: SiteStore;
  origins: OriginStore;
  checkQuota: CheckQuota;
  clock: () => Date;
}): Sites {
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
    remove: (change, id, check) => lifeCycle.remove(change, id, check),
    lock: async (change, id) => (await lifeCycle.lock(change, id)).value,
    create: (change, { name, allowed_origins }) =>
      lifeCycle.create(change, (id) => store.create(change, { id, name, allowedOrigins: allowed_origins })),
    async update(change, id, check, patch) {
      const before = await lifeCycle.lock(change, id, check);
      const { name, allowed_origins } = patch(before.value);
      if (name !== undefined) await store.rename(change, id, name);
      if (allowed_origins !== undefined) {
        await origins.replacePermanent(change, id, allowed_origins, clock());
      }
      // Read again, not foreseen: which origins are left depends on those of limited time.
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
    detail: `A site has at most ${MAX_ORIGINS} origins, those of limited time included.`,
  });
