import type { OrganizationId, UserId } from '@legate/ids';
import type { Author } from '../../domain/author.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import type { OwnOrganization } from './own-organizations.ts';
import { organizationNotNamed, organizationSuspended } from './problems.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Handles the sign-in of a user who is a member of an organization here but has none at the identity provider: makes the
 * identity provider name it in their tokens if members are to be linked again, and refuses the sign-in otherwise. Each
 * sign-in repeats it until the identity provider names one.
 * @param userId the user who has just signed in
 * @returns the organization's id; undefined if the user has none, or only deleted ones
 * @throws {Problem} 403 `organization_suspended`; 409 `organization_exists` if members are not linked again,
 * `organization_link_refused`; 502 and 503 for failures of the identity provider
 */
export type LinkAgain = (
  userId: UserId,
  authorIn: (organizationId: OrganizationId) => Author,
) => Promise<OrganizationId | undefined>;

export function createLinkAgain(deps: {
  /** The issuer of the users who sign in */
  issuer: string;
  /** Links members again if true. If false, members who were removed at the identity provider stay removed. */
  relinkMembers: boolean;
  store: SessionStore;
  directory: IdentityDirectory;
}): LinkAgain {
  const { issuer, relinkMembers, store, directory } = deps;
  return async (userId, authorIn) => {
    // Recorded first: if this process stops afterwards, nobody has joined an organization without a record.
    const own = await store.withSessions(userId, async (_sessions, { ownOrganizations, record }) => {
      const chosen = choose(await ownOrganizations(issuer));
      if (!chosen) return undefined;
      if (!relinkMembers) throw organizationNotNamed();
      const author = authorIn(chosen.id);
      await record(author, {
        action: 'member.link_requested',
        targets: [
          { type: 'member', id: chosen.memberId, name: author.email },
          { type: 'organization', id: chosen.id, name: chosen.name },
        ],
      });
      return chosen;
    });
    if (!own) return undefined;
    await directory.restoreMembership(own, userId);
    return own.id;
  };
}

/** Returns the active organization that the user joined first. @throws {Problem} 403 if all are suspended */
function choose(organizations: readonly OwnOrganization[]): OwnOrganization | undefined {
  const active = organizations.find(({ status }) => status === 'active');
  if (!active && organizations.length > 0) throw organizationSuspended();
  return active;
}
