import type { OrganizationId, UserId } from '@legate/ids';
import { keptOut } from '../admission/problems.ts';
import type { Membership } from '../admission/standing-store.ts';
import type { OnboardingSession } from './session.ts';

/**
 * Refuses users whom the organization of their session has removed. The token of an API caller may lack the
 * organization until it is refreshed, so it has not been checked yet.
 * @throws {Problem} 403 `membership_revoked`
 */
export type RefuseRemoved = (session: OnboardingSession) => Promise<void>;

/**
 * Call it outside any transaction, which may hold the only connection.
 * @param membershipOf the organization's own record of the user
 */
export function createRefuseRemoved(
  membershipOf: (organizationId: OrganizationId, userId: UserId) => Promise<Membership>,
): RefuseRemoved {
  return async ({ organizationId, userId }) => {
    if (organizationId === null) return;
    const membership = await membershipOf(organizationId, userId);
    if (membership.state === 'kept_out') throw keptOut(membership.status);
  };
}
