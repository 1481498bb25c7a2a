import type { Change } from '../../changes/change.ts';
import type { MemberId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { AcceptanceStore, FormerMembership, Invitee, OpenedInvitation } from './acceptance-store.ts';
import {
  invitationNotFound,
  memberOfAnother,
  refuseClosed,
  refuseKeptOut,
  refuseStranger,
} from './eligibility.ts';
import { targetOf } from './service.ts';

const memberLimitReached = () =>
  problem('member_limit_reached', { detail: 'The organization has reached its maximum number of members.' });

/**
 * Makes the person a member here, once they are one at the identity provider. All conditions are checked again: the
 * invitation may have been revoked meanwhile, or the person kept out.
 */
export type Finish = (change: Change, id: OpenedInvitation['id'], person: Invitee) => Promise<void>;

export function createFinish(deps: {
  store: AcceptanceStore;
  multipleOrganizations: boolean;
  maxMembers: number;
  clock: () => Date;
}): Finish {
  const { store, multipleOrganizations, maxMembers, clock } = deps;

  /** @returns the id of the member, whom a token may have made one since the invitation was accepted */
  async function makeMember(
    change: Change,
    invitation: OpenedInvitation,
    membership: FormerMembership | undefined,
    person: Invitee,
  ): Promise<MemberId> {
    const { role } = invitation;
    const details = { source: 'invitation', invitation_id: invitation.id };
    if (!membership) {
      const id = await store.join(change, person, invitation, maxMembers);
      if (!id) {
        // A token or a denial made the row between the two statements, or there is no room.
        const made = await store.membership(change, person.userId);
        if (!made) throw memberLimitReached();
        refuseKeptOut(invitation, made);
        return makeMember(change, invitation, made, person);
      }
      await change.record({
        action: 'member.joined',
        targets: [{ type: 'member', id, name: person.name ?? person.email }],
        changes: { role: { from: null, to: role } },
        details,
      });
      return id;
    }
    if (!membership.keptOut) return membership.id;
    await store.letInAgain(change, person, invitation);
    await change.record({
      action: 'member.reinstated',
      targets: [{ type: 'member', id: membership.id, name: membership.name ?? person.email }],
      changes: {
        status: { from: membership.keptOut, to: 'active' },
        ...(membership.role !== role && { role: { from: membership.role, to: role } }),
      },
      details,
    });
    return membership.id;
  }

  return async (change, id, person) => {
    const now = clock();
    await store.lockUser(change, person);
    const invitation = await store.lock(change, id, now);
    if (!invitation) throw invitationNotFound();
    refuseStranger(invitation, person);
    if (invitation.state === 'accepted' && invitation.userId === person.userId) return;
    refuseClosed(invitation, person);
    const membership = await store.membership(change, person.userId);
    refuseKeptOut(invitation, membership);
    if (!multipleOrganizations && (await store.isElsewhere(change, person, now))) throw memberOfAnother();
    const member = await makeMember(change, invitation, membership, person);
    await store.accepted(change, id, person.userId);
    await change.record({
      action: 'invitation.accepted',
      targets: [targetOf(invitation), { type: 'member', id: member, name: person.name ?? person.email }],
    });
  };
}
