import type { OrganizationId, UserId } from '@legate/ids';
import { z } from 'zod';
import type { Author } from '../../domain/author.ts';
import { OnboardingSessionId } from '../../domain/ids.ts';
import type { Acceptance } from '../invitations/acceptance.ts';
import type { OpenedInvitation } from '../invitations/acceptance-store.ts';
import type { OrganizationDetails } from './context.ts';
import type { CsrfTokens } from './csrf.ts';
import { createInvitedSessions, createJoinedNotice, inviteeOf } from './invited-session.ts';
import { csrfTokenInvalid, inProgress } from './problems.ts';
import { type OnboardingSession, refuseEnded } from './session.ts';
import type { SessionStore } from './session-store.ts';

export const AnswerInvitation = z.strictObject({
  session: OnboardingSessionId,
  csrf_token: z.string().min(1).max(512),
});
type AuthorIn = (organizationId: OrganizationId) => Author;
type AnswerInvitation = z.output<typeof AnswerInvitation>;

/** The details of an invitation that a page shows */
export interface ShownInvitation extends OpenedInvitation {
  /** The verified domains of the organization */
  readonly domains: readonly string[];
}

export type InvitationView =
  /** The session has ended, so nobody is signed in to answer the invitation. */
  | { readonly kind: 'signed_out' }
  | {
      readonly kind: 'open';
      readonly invitation: ShownInvitation;
      readonly session: OnboardingSession;
      readonly csrfToken: string;
    }
  /** Another request of the invited person is accepting the invitation. */
  | { readonly kind: 'accepting'; readonly invitation: ShownInvitation; readonly session: OnboardingSession }
  | ({ readonly kind: 'accepted' } & AnsweredInvitation);

export interface AnsweredInvitation {
  readonly sessionId: OnboardingSessionId;
  readonly notice: string;
}

export type Invited = ReturnType<typeof createInvited>;

/** The steps of an invited person, in the session of their sign-in */
export function createInvited(deps: {
  /** The issuer of the users who sign in */
  issuer: string;
  acceptance: Acceptance;
  store: SessionStore;
  csrf: CsrfTokens;
  loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>;
  /** Makes this process read the membership again. */
  forget: (organizationId: OrganizationId, userId: UserId) => void;
  clock: () => Date;
}) {
  const { issuer, acceptance, csrf, loadDetails, clock } = deps;
  const { find, goOn } = createInvitedSessions(deps);
  const joinedNotice = createJoinedNotice(loadDetails);

  const withDomains = async (invitation: OpenedInvitation): Promise<ShownInvitation> => {
    const { domains } = await loadDetails(invitation.organizationId);
    return { ...invitation, domains };
  };

  /** @throws {Problem} 403 `csrf_token_invalid`, and as `Acceptance.view` */
  async function readAnswer(userId: UserId, answer: AnswerInvitation, token: string) {
    const session = await find(userId, answer.session);
    refuseEnded(session, clock());
    if (session.step === 'creating' && (session.leaseUntil ?? 0) > clock()) throw inProgress();
    const person = inviteeOf(session, issuer);
    const invitation = await acceptance.view(token, person);
    // The token is bound to this invitation: another site may have opened another link in this browser since the page
    // was shown.
    const step = `invitation:${invitation.id}` as const;
    if (!csrf.isValid(answer.csrf_token, session.id, step, userId)) throw csrfTokenInvalid();
    return { session, person, invitation };
  }

  return {
    /** Returns an invitation for a person who has not signed in. @throws {Problem} 404, whatever the reason */
    peek: async (token: string) => withDomains(await acceptance.peek(token)),

    /** @throws {Problem} as `Acceptance.view` */
    async view(userId: UserId, sessionId: OnboardingSessionId, token: string): Promise<InvitationView> {
      const session = await find(userId, sessionId);
      if (session.step === 'done' || session.expiresAt <= clock()) return { kind: 'signed_out' };
      const person = inviteeOf(session, issuer);
      const invitation = await acceptance.view(token, person);
      if (invitation.state === 'accepted') {
        await goOn(session, invitation.organizationId);
        return { kind: 'accepted', sessionId, notice: await joinedNotice(invitation, person, false) };
      }
      const shown = await withDomains(invitation);
      if (invitation.isBeingAccepted) return { kind: 'accepting', invitation: shown, session };
      const csrfToken = csrf.tokenFor(session.id, `invitation:${invitation.id}`, userId);
      return { kind: 'open', invitation: shown, session, csrfToken };
    },

    /** May be repeated. @throws {Problem} 403 `csrf_token_invalid`, and as `Acceptance.accept` */
    async accept(
      userId: UserId,
      answer: AnswerInvitation,
      token: string,
      authorIn: AuthorIn,
    ): Promise<AnsweredInvitation> {
      const { session, person, invitation } = await readAnswer(userId, answer, token);
      const { organizationId } = invitation;
      const { wasMember } = await acceptance.accept(invitation, person, authorIn(organizationId));
      deps.forget(organizationId, userId);
      await goOn(session, organizationId);
      return { sessionId: session.id, notice: await joinedNotice(invitation, person, wasMember) };
    },

    /** @throws {Problem} as `accept` */
    async decline(
      userId: UserId,
      answer: AnswerInvitation,
      token: string,
      authorIn: AuthorIn,
    ): Promise<AnsweredInvitation> {
      const { session, person, invitation } = await readAnswer(userId, answer, token);
      await acceptance.decline(invitation, person, authorIn(invitation.organizationId));
      const notice = `You have declined the invitation to ${invitation.organizationName}.`;
      return { sessionId: session.id, notice };
    },
  };
}
