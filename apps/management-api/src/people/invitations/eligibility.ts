import type { Problem } from '@legate/service';
import { keptOut } from '../../callers/standing/problems.ts';
import { normalizedEmail } from '../../domain/email-address.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { FormerMembership, Invitee, OpenedInvitation } from './acceptance-store.ts';
import type { InvitationState } from './invitation.ts';

export const invitationNotFound = (): Problem => problem('invitation_not_found');

/** Refuses all links without an open invitation in the same way: only the invited person learns the reason. */
export const isOpen = ({ state, organizationIsActive }: OpenedInvitation): boolean =>
  state === 'pending' && organizationIsActive;

const REASONS: Readonly<Record<InvitationState, string>> = {
  pending: 'Somebody else with this address is accepting it.',
  accepted: 'It was accepted already.',
  declined: 'It was declined.',
  revoked: 'It was revoked.',
  expired: 'Its time is over.',
};

/**
 * Refuses an account with an address other than the invited one, and one whose address the identity provider has not
 * verified.
 * @throws {Problem} 403 `invitation_wrong_account`; 404 `invitation_not_found` if nobody could accept the invitation
 */
export function refuseStranger(invitation: OpenedInvitation, { email, emailProven }: Invitee): void {
  if (emailProven && email !== null && normalizedEmail(email) === invitation.email) return;
  throw isOpen(invitation) ? problem('invitation_wrong_account') : invitationNotFound();
}

/**
 * Refuses an invitation that cannot be accepted; the invited person sees why. @throws {Problem} 403
 * `organization_suspended`, 409 `invitation_closed`
 */
export function refuseClosed(invitation: OpenedInvitation, { userId }: Invitee): void {
  const isOfAnother = invitation.userId !== null && invitation.userId !== userId;
  if (invitation.state !== 'pending' || isOfAnother)
    throw problem('invitation_closed', { detail: REASONS[invitation.state] });
  if (!invitation.organizationIsActive) throw problem('organization_suspended');
}

/**
 * Refuses a person who was kept out after the link was made. Only an owner can let a former owner in again.
 * @throws {Problem} 403 `membership_revoked`, `membership_deactivated`
 */
export function refuseKeptOut(invitation: OpenedInvitation, membership: FormerMembership | undefined): void {
  if (!membership?.keptOut || !membership.removedAt) return;
  const isLater = membership.removedAt >= invitation.sentAt;
  if (isLater || (membership.role === 'owner' && invitation.inviterRole !== 'owner'))
    throw keptOut(membership.keptOut);
}

export const memberOfAnother = (): Problem => problem('member_of_another_organization');
