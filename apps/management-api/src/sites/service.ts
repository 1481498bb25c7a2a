import { isDeepStrictEqual } from 'node:util';
import { type Page, type PageRequest, toPage } from '@legate/pagination';
import { notFound, Problem } from '@legate/service';
import { ulid } from 'ulid';
import { isId } from '../api/id.ts';
import type { VersionCheck } from '../api/preconditions.ts';
import type { Stored } from '../api/stored.ts';
import { changesBetween, type FieldChanges } from '../audit/audit-event.ts';
import type { Change } from '../changes/change.ts';
import type { OriginStore } from './origin-store.ts';
import { type CreateSite, type ListSites, MAX_ORIGINS, type Site, type UpdateSite } from './site.ts';
import type { SiteStore } from './store.ts';

const RESTORABLE_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;
const FIELDS = ['name', 'allowed_origins'] as const;

/** Everywhere: 404 also for a site of another organization; who may not see it is not told that it exists. */
export interface Sites {
  list(organizationId: string, query: PageRequest & ListSites): Promise<Page<Site>>;
  find(organizationId: string, id: string): Promise<Stored<Site>>;
  create(change: Change, site: CreateSite): Promise<Stored<Site>>;
  /** For a change of what belongs to the site. */
  lock(change: Change, id: string): Promise<Site>;
  /** @param patch made of the site as it is in the transaction; what changes nothing leaves the version */
  update(
    change: Change,
    id: string,
    check: VersionCheck,
    patch: (current: Site) => UpdateSite,
  ): Promise<Stored<Site>>;
  /** For 30 days it can be restored. */
  remove(change: Change, id: string, check: VersionCheck): Promise<void>;
  /** A site that is there is left as it is, so that the call can be repeated. */
  restore(change: Change, id: string): Promise<Stored<Site>>;
}

export function createSites(deps: { store: SiteStore; origins: OriginStore; clock: () => Date }): Sites {
  const { store, origins, clock } = deps;

  async function lock({ connection, organizationId }: Change, id: string): Promise<Stored<Site>> {
    return existing(isId(id) && (await store.lock(connection, organizationId, id, clock())));
  }

  async function readAgain({ connection, organizationId }: Change, id: string): Promise<Stored<Site>> {
    return existing(await store.read(connection, organizationId, id, clock()));
  }

  const record = (change: Change, what: string, { id, name }: Site, changes?: FieldChanges) =>
    change.record({
      action: `site.${what}`,
      targets: [{ type: 'site', id, name }],
      ...(changes && { changes }),
    });

  return {
    lock: async (change, id) => (await lock(change, id)).value,
    async list(organizationId, query) {
      const { sites, total } = await store.list(organizationId, query, clock());
      return toPage(sites, total, query);
    },
    async find(organizationId, id) {
      return existing(isId(id) && (await store.find(organizationId, id, clock())));
    },
    async create(change, { name, allowed_origins }) {
      const id = `site_${ulid(clock().getTime())}`;
      const site = { id, name, allowedOrigins: allowed_origins };
      const created = await store.create(change.connection, change.organizationId, site);
      await record(change, 'created', created.value, changesBetween({}, created.value, FIELDS));
      return created;
    },
    async update(change, id, check, patch) {
      const { connection, organizationId } = change;
      const before = await lock(change, id);
      check(before.version);
      const { name, allowed_origins } = patch(before.value);
      if (name !== undefined) await store.rename(connection, organizationId, id, name);
      if (allowed_origins !== undefined) {
        await origins.replacePermanent(connection, organizationId, id, allowed_origins, clock());
      }
      const after = await readAgain(change, id);
      if (isDeepStrictEqual(before.value, after.value)) return after;
      if (after.value.allowed_origins.length > MAX_ORIGINS) throw originLimitReached();
      await store.raiseVersion(connection, organizationId, id);
      await record(change, 'updated', after.value, changesBetween(before.value, after.value, FIELDS));
      return readAgain(change, id);
    },
    async remove(change, id, check) {
      const { connection, organizationId } = change;
      const { value: site, version } = await lock(change, id);
      check(version);
      await store.raiseVersion(connection, organizationId, id);
      await store.setDeleted(connection, organizationId, id, clock());
      await record(change, 'deleted', site);
    },
    async restore(change, id) {
      const { connection, organizationId } = change;
      const since = new Date(clock().getTime() - RESTORABLE_DAYS * DAY_MS);
      const found = isId(id) && (await store.lockRestorable(connection, organizationId, id, since));
      if (existing(found).deleted) {
        await store.raiseVersion(connection, organizationId, id);
        await store.setDeleted(connection, organizationId, id, null);
        await record(change, 'restored', (await readAgain(change, id)).value);
      }
      return readAgain(change, id);
    },
  };
}

/** @throws {Problem} 404 */
function existing<Thing>(found: Thing | undefined | false): Thing {
  if (!found) throw notFound('There is no such site.');
  return found;
}

export const originLimitReached = (): Problem =>
  new Problem(409, 'origin_limit_reached', 'Too many origins', {
    detail: `A site has at most ${MAX_ORIGINS} origins, those of limited time included.`,
  });
