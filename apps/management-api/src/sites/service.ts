import { type Page, type PageRequest, toPage } from '@legate/pagination';
import { ulid } from 'ulid';
import type { CreateSite, Site } from './site.ts';
import type { SiteStore, StoredSite } from './store.ts';

/** What can be an id at all; anything else is not asked for. */
const ID = /^[A-Za-z0-9_.-]{1,128}$/;

export interface Sites {
  list(organizationId: string, page: PageRequest): Promise<Page<Site>>;
  /** @returns undefined also for a site of another organization: who may not see it is not told that it exists */
  find(organizationId: string, id: string): Promise<StoredSite | undefined>;
  create(organizationId: string, site: CreateSite): Promise<StoredSite>;
}

export function createSites(deps: { store: SiteStore; clock: () => Date }): Sites {
  const { store, clock } = deps;
  return {
    async list(organizationId, page) {
      const { sites, total } = await store.list(organizationId, page);
      return toPage(sites, total, page);
    },
    async find(organizationId, id) {
      return ID.test(id) ? store.find(organizationId, id) : undefined;
    },
    create: (organizationId, { name, allowed_origins }) =>
      store.create(organizationId, {
        id: `site_${ulid(clock().getTime())}`,
        name,
        allowedOrigins: allowed_origins,
      }),
  };
}
