import type { OrganizationId, UserId } from '@legate/ids';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { Decision } from '../consents/consent.ts';
import { clientUnknown, type DecideConsent, recordDecision } from '../consents/decide.ts';
import type { CsrfTokens } from './csrf.ts';
import type { ConsentGiven, GiveConsent } from './onboarding.ts';
import { csrfTokenInvalid, sessionConflict } from './problems.ts';
import { type OnboardingSession, ownSession, redirectOf, refuseEnded } from './session.ts';
import type { SessionChange, SessionStore } from './session-store.ts';

type AuthorIn = (organizationId: OrganizationId) => Author;

/** Ends sessions, with the user's decision, which the organization's audit trail keeps, or without asking the user. */
export function createConsent(deps: {
  store: SessionStore;
  csrf: CsrfTokens;
  decide: DecideConsent;
  /** Returns the client of the application that a session of our pages returns to; undefined if it is not known */
  clientAt: (returnTo: string) => string | undefined;
  refuseUnadmitted: (session: OnboardingSession, caller: Caller) => Promise<void>;
  /** Makes a decision take effect in this process at once. */
  forgetStanding: (organizationId: OrganizationId, userId: UserId) => void;
  /** Deletes the tokens of the sign-in, which have no use after the session has ended. */
  dropTokens: (sessionId: OnboardingSessionId) => Promise<void>;
  clock: () => Date;
}) {
  const { store, csrf, decide, clientAt, refuseUnadmitted, forgetStanding, clock } = deps;
  // A failure is ignored: the tokens expire with the session anyway.
  const dropTokens = (id: OnboardingSessionId) => deps.dropTokens(id).catch(() => undefined);
  const isOfPages = ({ credential }: Caller) => credential.kind === 'session';

  async function saveDecision(
    caller: Caller,
    { returnTo }: OnboardingSession,
    decision: Decision,
    author: Author,
    { asOrganization }: SessionChange,
  ): Promise<void> {
    const by = caller.credential;
    const clientId = (isOfPages(caller) ? clientAt(returnTo) : by.clientId) ?? null;
    if (clientId === null && decision === 'deny') throw clientUnknown();
    if (clientId === null && isOfPages(caller)) return; // the user was not asked
    await asOrganization(author, async (change) => {
      if (clientId === null) await recordDecision(change, decision, null);
      else await decide(change, { userId: caller.subject, clientId, decision, by });
    });
  }

  return {
    /** @throws {Problem} 403, 404, 409, 410 */
    async consent(caller: Caller, request: GiveConsent, authorIn: AuthorIn): Promise<ConsentGiven> {
      const known = await store.withSessions(caller.subject, async (own) => ownSession(own, request.session));
      refuseEnded(known, clock()); // checked first, so that a retry of a denial gets this refusal
      await refuseUnadmitted(known, caller);
      const ended = await store.withSessions(caller.subject, async (sessions, change) => {
        const session = ownSession(sessions, request.session);
        if (!csrf.isValid(request.csrf_token, session.id, 'consent', session.userId))
          throw csrfTokenInvalid();
        refuseEnded(session, clock());
        const { organizationId } = session;
        if (session.step !== 'consent' || organizationId === null) throw sessionConflict();
        const { decision } = request;
        await change.save({ ...session, step: 'done', decision });
        await saveDecision(caller, session, decision, authorIn(organizationId), change);
        return { id: session.id, organizationId, returnTo: session.returnTo };
      });
      forgetStanding(ended.organizationId, caller.subject);
      await dropTokens(ended.id);
      return {
        redirect_to: redirectOf(ended.returnTo, request.decision),
        organization_id: ended.organizationId,
        token_refresh_required: true,
      };
    },

    /** Ends a session of our pages without a consent, because its application is not known. */
    async endUnasked(caller: Caller, sessionId: OnboardingSessionId): Promise<void> {
      await store.withSessions(caller.subject, async (sessions, { save }) => {
        const session = ownSession(sessions, sessionId);
        if (session.step === 'consent') await save({ ...session, step: 'done', decision: 'approve' });
      });
      await dropTokens(sessionId);
    },
  };
}
