import type { OrganizationId, SiteId } from '@legate/ids';
import type { PageRequest } from '@legate/pagination';
import { notFound } from '@legate/service';
import type { Change } from '../../changes/change.ts';
import { parseAllowedOrigin } from './allowed-origin.ts';
import type { OriginStore } from './origin-store.ts';
import { originLimitReached, type Sites } from './service.ts';
import { MAX_ORIGINS, type Site } from './site.ts';
import type { AddOrigin, OriginCheck, SiteOrigin } from './site-origin.ts';
import type { SiteStore } from './store.ts';

export type SiteOrigins = ReturnType<typeof createSiteOrigins>;

/** Manages single origins of a site: many clients can add and remove origins without reading the list first. */
export function createSiteOrigins(deps: {
  sites: Sites;
  siteStore: SiteStore;
  store: OriginStore;
  clock: () => Date;
}) {
  const { sites, siteStore, store, clock } = deps;

  async function finish(
    change: Change,
    what: 'added' | 'extended' | 'removed',
    { id, name }: Site,
    from: SiteOrigin | null,
    to: SiteOrigin | null,
  ) {
    await siteStore.raiseVersion(change, id);
    await change.record({
      action: `site.origin_${what}`,
      targets: [{ type: 'site', id, name }],
      changes: { origin: { from, to } },
    });
  }

  return {
    async list(organizationId: OrganizationId, siteId: SiteId, page: PageRequest) {
      await sites.find(organizationId, siteId);
      return store.list(organizationId, siteId, page, clock());
    },
    /**
     * Adds an origin, or extends its time. The later of two expiry times applies, and none is later than any,
     * so that an addition never shortens access.
     */
    async add(change: Change, siteId: SiteId, { origin, expires_at }: AddOrigin) {
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
    /** @throws {Problem} 404 also for an origin that has expired */
    async remove(change: Change, siteId: SiteId, origin: string) {
      const site = await sites.lock(change, siteId);
      const present = await store.read(change, siteId, origin, clock());
      if (!present) throw notFound('The site has no such origin.');
      await store.remove(change, siteId, origin);
      await finish(change, 'removed', site, present, null);
    },
    async check(organizationId: OrganizationId, siteId: SiteId, written: string): Promise<OriginCheck> {
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

/** Times in ISO 8601, UTC and milliseconds can be compared as text. */
function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return null;
  return a > b ? a : b;
}

const hasPassed = (expiresAt: string | null, now: Date): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
