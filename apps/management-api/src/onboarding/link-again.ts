import type { Author } from '../changes/author.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import type { OwnOrganization } from './own-organizations.ts';
import { organizationNotNamed, organizationSuspended } from './problems.ts';
import type { SessionStore } from './session-store.ts';

/**
 * For a user whom the identity provider assigns to no organization, though he is a member of one here: where members are to
 * be linked again, has it name that one in his tokens, and refuses him otherwise. May be repeated, and is by the next sign-in,
 * until the identity provider names one.
 * @param userId of whom the identity provider has just signed in
 * @returns the organization's id; undefined where he has none, or none that is not deleted
 * @throws {Problem} 403 `organization_suspended`; 409 `organization_exists` where none is linked again,
 *   `organization_link_refused`; 502 and 503 for what the identity provider does
 */
export type LinkAgain = (
  userId: string,
  authorIn: (organizationId: string) => Author,
) => Promise<string | undefined>;

export function createLinkAgain(deps: {
  /** Of the users who sign in */
  issuer: string;
  /** False: who was taken out of an organization at the identity provider alone must not put himself back by signing in. */
  relinkMembers: boolean;
  store: SessionStore;
  directory: IdentityDirectory;
}): LinkAgain {
  const { issuer, relinkMembers, store, directory } = deps;
  return async (userId, authorIn) => {
    // Told of before it is done: whatever becomes of this process then, nobody has got into an organization unseen.
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

/** The one that he joined first of those that may be worked with. @throws {Problem} 403 where none may */
function choose(organizations: readonly OwnOrganization[]): OwnOrganization | undefined {
  const active = organizations.find(({ status }) => status === 'active');
  if (!active && organizations.length > 0) throw organizationSuspended();
  return active;
}
