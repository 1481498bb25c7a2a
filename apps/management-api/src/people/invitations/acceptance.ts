import type { Author } from '../../domain/author.ts';
import { hashOfSecretToken } from '../../domain/secret-token.ts';
import { type AcceptDependencies, createAccept } from './accept.ts';
import type { Invitee, OpenedInvitation } from './acceptance-store.ts';
import { inProgress } from './begin.ts';
import { invitationNotFound, isOpen, refuseClosed, refuseStranger } from './eligibility.ts';
import { targetOf } from './service.ts';
import type { InvitationStore } from './store.ts';

export type Acceptance = ReturnType<typeof createAcceptance>;

/** The operations of an invited person on an invitation link. */
export function createAcceptance(deps: AcceptDependencies & { invitations: Pick<InvitationStore, 'close'> }) {
  const { store, makeChange, clock } = deps;

  async function open(token: string): Promise<OpenedInvitation> {
    const hash = hashOfSecretToken('invitation', token);
    const found = hash && (await store.findByHash(hash, clock()));
    if (!found) throw invitationNotFound();
    return found;
  }

  return {
    /** Returns an invitation for a person who has not signed in. @throws {Problem} 404, whatever the reason */
    async peek(token: string): Promise<OpenedInvitation> {
      const invitation = await open(token);
      if (!isOpen(invitation)) throw invitationNotFound();
      return invitation;
    },

    /**
     * Returns an invitation for a person who has signed in.
     * @returns also an invitation that they have accepted, or are accepting
     * @throws {Problem} 403 `invitation_wrong_account`, `organization_suspended`; 404; 409 `invitation_closed`
     */
    async view(token: string, person: Invitee): Promise<OpenedInvitation> {
      const invitation = await open(token);
      refuseStranger(invitation, person);
      if (invitation.state !== 'accepted' || invitation.userId !== person.userId)
        refuseClosed(invitation, person);
      return invitation;
    },

    accept: createAccept(deps),

    /** @throws {Problem} as `view`, 409 `onboarding_in_progress` */
    decline: ({ id }: OpenedInvitation, person: Invitee, author: Author): Promise<void> =>
      makeChange(author, async (change) => {
        const invitation = await store.lock(change, id, clock());
        if (!invitation) throw invitationNotFound();
        refuseStranger(invitation, person);
        if (invitation.state === 'declined') return;
        refuseClosed(invitation, person);
        if (invitation.isBeingAccepted) throw inProgress();
        await deps.invitations.close(change, id, 'declined', clock());
        await change.record({ action: 'invitation.declined', targets: [targetOf(invitation)] });
      }),
  };
}
