import { OrganizationId, UserId } from '@legate/ids';
import { remember } from '../storage/remembered.ts';
import type { Membership, MembershipStore, Seen } from './membership-store.ts';

export type Memberships = ReturnType<typeof createMemberships>;

export function createMemberships(deps: {
  store: MembershipStore;
  clock: () => Date;
  onSeenLost: (err: unknown) => void;
}) {
  // An organization's id contains no ':', so the first one ends it.
  const keyOf = (organizationId: OrganizationId, userId: UserId) => `${organizationId}:${userId}`;
  const remembered = remember<Membership>({
    clock: deps.clock,
    load(key) {
      const colon = key.indexOf(':');
      return deps.store.find(OrganizationId.parse(key.slice(0, colon)), UserId.parse(key.slice(colon + 1)));
    },
  });
  // Saves once per read from the database: not on every request, nor for two alternating tokens; after a failure again
  // in 30 seconds.
  const seenNoted = new WeakSet<Membership>();
  const issuerNoted = new WeakSet<Membership>();
  return {
    /**
     * A change is seen by other processes within 30 seconds.
     * @throws {DatabaseUnavailable} and nothing is known of it
     */
    get: (organizationId: OrganizationId, userId: UserId) => remembered.get(keyOf(organizationId, userId)),
    forget: (organizationId: OrganizationId, userId: UserId) =>
      remembered.forget(keyOf(organizationId, userId)),
    /**
     * Saves what a token says about an active member and its issuer, if it differs from the stored data; missing claims
     * change nothing. Never throws, because it must not fail the request.
     */
    async noteSeen(
      membership: Membership,
      user: { organizationId: OrganizationId; userId: UserId; issuer: string } & Seen,
    ) {
      if (membership.state !== 'active') return;
      const { organizationId, userId, issuer, email, name } = user;
      const seen = { email: email ?? membership.email, name: name ?? membership.name };
      const isSeenAnew = seen.email !== membership.email || seen.name !== membership.name;
      if (isSeenAnew && !seenNoted.has(membership)) {
        seenNoted.add(membership);
        await deps.store.saveSeen(organizationId, userId, seen).catch(deps.onSeenLost);
      }
      if (issuer !== membership.issuer && !issuerNoted.has(membership)) {
        issuerNoted.add(membership);
        await deps.store.saveIssuer(organizationId, userId, issuer).catch(deps.onSeenLost);
      }
    },
  };
}
