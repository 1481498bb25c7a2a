import type { OrganizationId, SiteId } from '@legate/ids';
import type { Page, PageRequest } from '@legate/pagination';
import { notFound } from '@legate/service';
import type { Change } from '../changes/change.ts';
import { parseAllowedOrigin } from './allowed-origin.ts';
import type { OriginStore } from './origin-store.ts';
import { originLimitReached, type Sites } from './service.ts';
import { MAX_ORIGINS, type Site } from './site.ts';
import type { AddOrigin, OriginCheck, SiteOrigin } from './site-origin.ts';
import type { SiteStore } from './store.ts';

/** Single origins of a site: many clients can add and remove them without reading the list first. */
export interface SiteOrigins {
  list(organizationId: OrganizationId, siteId: SiteId, page: PageRequest): Promise<Page<SiteOrigin>>;
  /** The later of two times for one origin applies, and no time outlasts any: an addition never removes access. */
  add(change: Change, siteId: SiteId, add: AddOrigin): Promise<{ origin: SiteOrigin; added: boolean }>;
  /** @throws {Problem} 404 also for an origin whose time has come */
  remove(change: Change, siteId: SiteId, origin: string): Promise<void>;
  check(organizationId: OrganizationId, siteId: SiteId, written: string): Promise<OriginCheck>;
}

export function createSiteOrigins(deps: {
  sites: Sites;
  siteStore: SiteStore;
  store: OriginStore;
  clock: () => Date;
}): SiteOrigins {
  const { sites, siteStore, store, clock } = deps;

  async function finish(
    change: Change,
    what: string,
    { id, name }: Site,
    from: SiteOrigin | null,
    to: SiteOrigin | null,
  ) {
    await siteStore.raiseVersion(change, id);
    const action = `site.origin_${what}`;
    await change.record({ action, targets: [{ type: 'site', id, name }], changes: { origin: { from, to } } });
  }

  return {
    async list(organizationId, siteId, page) {
      await sites.find(organizationId, siteId);
      return store.list(organizationId, siteId, page, clock());
    },
    async add(change, siteId, { origin, expires_at }) {
      const now = clock();
      const site = await sites.lock(change, siteId);
      const present = await store.read(change, siteId, origin, now);
      if (!present && site.allowed_origins.length >= MAX_ORIGINS) throw originLimitReached();
      const wanted = { origin, expires_at: present ? later(present.expires_at, expires_at) : expires_at };
      if (present?.expires_at === wanted.expires_at) return { origin: present, added: false };
      await store.save(change, siteId, wanted, now);
      await finish(change, present ? 'extended' : 'added', site, present ?? null, wanted);
      return { origin: wanted, added: !present };
    },
    async remove(change, siteId, origin) {
      const site = await sites.lock(change, siteId);
      const present = await store.read(change, siteId, origin, clock());
      if (!present) throw notFound('The site has no such origin.');
      await store.remove(change, siteId, origin);
      await finish(change, 'removed', site, present, null);
    },
    async check(organizationId, siteId, written) {
      await sites.find(organizationId, siteId);
      const refused = { allowed: false, normalized: null, matched: null };
      const parsed = parseAllowedOrigin(written);
      if (!parsed.ok) return { ...refused, reason: parsed.code };
      const found = await store.findAny(organizationId, siteId, parsed.origin);
      const normalized = parsed.origin;
      if (!found) return { ...refused, normalized, reason: 'origin_not_allowed' };
      if (hasPassed(found.expires_at, clock())) return { ...refused, normalized, reason: 'origin_expired' };
      return { allowed: true, normalized, matched: found.origin, reason: null };
    },
  };
}

/** ISO 8601 in UTC with milliseconds sorts as text. */
function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return null;
  return a > b ? a : b;
}

const hasPassed = (expiresAt: string | null, now: Date): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
