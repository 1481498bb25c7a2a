import type { OrganizationId, UserId } from '@legate/ids';
import { Problem } from '@legate/service';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import type { Role } from '../../domain/rights.ts';
import type { AcceptanceStore, Invitee, OpenedInvitation } from './acceptance-store.ts';
import { createBegin } from './begin.ts';
import { memberOfAnother } from './eligibility.ts';
import { createFinish } from './finish.ts';

export interface AcceptDependencies {
  readonly store: AcceptanceStore;
  readonly makeChange: MakeChange;
  /**
   * Adds the person at the identity provider; may be repeated. @throws {Problem} 409 `organization_link_refused`, 502,
   * 503
   */
  readonly addMembership: (organizationId: OrganizationId, userId: UserId, role: Role) => Promise<void>;
  readonly removeMembership: (organizationId: OrganizationId, userId: UserId) => Promise<void>;
  /** True if a user may belong to several organizations */
  readonly multipleOrganizations: boolean;
  readonly maxMembers: number;
  /** Called if a membership that was just made at the identity provider must end, and ending it failed. */
  readonly onNotUndone: (err: unknown) => void;
  readonly clock: () => Date;
}

export interface Accepted {
  /** True if the person was a member already; they keep their role. */
  readonly wasMember: boolean;
}

/**
 * Makes the person a member at the identity provider, then here. May be repeated, even after a crash.
 * @throws {Problem} as `Acceptance.view`; 403 `membership_revoked`, `membership_deactivated`, `member_limit_reached`;
 * 409 `member_of_another_organization`, `onboarding_in_progress`, `organization_link_refused`; 502, 503
 */
export type Accept = (invitation: OpenedInvitation, person: Invitee, author: Author) => Promise<Accepted>;

export function createAccept(deps: AcceptDependencies): Accept {
  const { store, makeChange, addMembership, removeMembership } = deps;
  const begin = createBegin(deps);
  const finish = createFinish(deps);

  /** @throws {Problem} 409 if the sign-in names another organization that does not keep the person out */
  async function refuseAnother(inviting: OrganizationId, { signedInTo, userId }: Invitee): Promise<void> {
    if (deps.multipleOrganizations || signedInTo === null || signedInTo === inviting) return;
    if (!(await store.isKeptOut(signedInTo, userId))) throw memberOfAnother();
  }

  return async ({ id, organizationId }, person, author) => {
    const { userId } = person;
    /** Ends the lease after a failure, so that a retry need not wait. */
    const giveBack = (err: unknown) =>
      makeChange(author, (change) =>
        store.giveBack(change, id, userId, isRefusal(err) ? 'pending' : 'accepting'),
      ).catch(() => undefined);

    await refuseAnother(organizationId, person);
    const begun = await makeChange(author, (change) => begin(change, id, person));
    if (begun.kind === 'accepted') return { wasMember: false };
    // If the identity provider already names the organization, it has the membership.
    const isNamed = person.signedInTo === organizationId;
    if (!(begun.wasMember && isNamed)) {
      await addMembership(organizationId, userId, begun.role).catch(async (err: unknown) => {
        await giveBack(err);
        throw err;
      });
    }
    try {
      await makeChange(author, (change) => finish(change, id, person));
    } catch (err) {
      // For example, the invitation was revoked meanwhile. A membership that existed before stays.
      if (isRefusal(err) && !begun.wasMember && !isNamed)
        await removeMembership(organizationId, userId).catch(deps.onNotUndone);
      await giveBack(err);
      throw err;
    }
    return { wasMember: begun.wasMember };
  };
}

/** Returns true if the attempt was refused; after an outage it may still have taken effect. */
const isRefusal = (err: unknown): boolean => err instanceof Problem && err.status < 500;
