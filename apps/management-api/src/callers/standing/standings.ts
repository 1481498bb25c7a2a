import { OrganizationId, UserId } from '@legate/ids';
import { LRUCache } from 'lru-cache';
import { remember } from '../../storage/remembered.ts';
import type { Organization } from './organization-store.ts';
import type { Standing, StandingStore } from './standing-store.ts';

/** The cached rights of users in organizations. A change by another process is seen within a second. */
export type Standings = ReturnType<typeof createStandings>;

const MAX_ORGANIZATIONS = 10_000;

export function createStandings(deps: { store: Pick<StandingStore, 'find'>; clock: () => Date }) {
  // An organization's id contains no ':', so the first ':' ends it.
  const keyOf = (organizationId: OrganizationId, userId: UserId | '') => `${organizationId}:${userId}`;
  const organizations = new LRUCache<OrganizationId, Organization>({ max: MAX_ORGANIZATIONS });
  const remembered = remember<Standing>({
    clock: deps.clock,
    async load(key) {
      const colon = key.indexOf(':');
      const organizationId = OrganizationId.parse(key.slice(0, colon));
      const standing = await deps.store.find(organizationId, UserId.parse(key.slice(colon + 1)));
      organizations.set(organizationId, standing.organization);
      return standing;
    },
  });
  return {
    /** @throws {DatabaseUnavailable} if the data was not read in the last 10 minutes */
    get: (organizationId: OrganizationId, userId: UserId) => remembered.get(keyOf(organizationId, userId)),
    /** Returns the organization as last read, for a user whose data is not cached while the database is down. */
    lastKnownOrganization: (organizationId: OrganizationId) => organizations.get(organizationId),
    /** @param userId undefined for everyone in the organization */
    forget(organizationId: OrganizationId, userId?: UserId): void {
      if (userId === undefined) remembered.forgetAll(keyOf(organizationId, ''));
      else remembered.forget(keyOf(organizationId, userId));
    },
  };
}
