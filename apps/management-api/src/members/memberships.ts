import { remember } from '../remembered.ts';
import type { Membership, MembershipStore } from './membership-store.ts';

export interface Memberships {
  /**
   * A change is seen by other processes within 30 seconds.
   * @throws {DatabaseUnavailable} and nothing is known of it
   */
  get(organizationId: string, userId: string): Promise<Membership>;
  forget(organizationId: string, userId: string): void;
}

export function createMemberships(deps: { store: MembershipStore; clock: () => Date }): Memberships {
  // An organization's id holds no ':', so the first one ends it.
  const keyOf = (organizationId: string, userId: string) => `${organizationId}:${userId}`;
  const remembered = remember<Membership>({
    clock: deps.clock,
    load(key) {
      const colon = key.indexOf(':');
      return deps.store.find(key.slice(0, colon), key.slice(colon + 1));
    },
  });
  return {
    get: (organizationId, userId) => remembered.get(keyOf(organizationId, userId)),
    forget: (organizationId, userId) => remembered.forget(keyOf(organizationId, userId)),
  };
}
