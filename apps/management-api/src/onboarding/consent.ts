import type { OrganizationId } from '@legate/ids';
import type { Author } from '../domain/author.ts';
import type { Caller } from '../domain/caller.ts';
import type { OnboardingSessionId } from '../domain/ids.ts';
import type { CsrfTokens } from './csrf.ts';
import type { ConsentGiven, GiveConsent } from './onboarding.ts';
import { csrfTokenInvalid, sessionConflict } from './problems.ts';
import { type OnboardingSession, ownSession, redirectOf, refuseEnded } from './session.ts';
import type { SessionStore } from './session-store.ts';

/** Ends a session with the user's decision, which the organization's audit trail keeps. */
export function createConsent(deps: {
  store: SessionStore;
  csrf: CsrfTokens;
  refuseRemoved: (session: OnboardingSession) => Promise<void>;
  /** The tokens of the sign-in are of no use when the session has ended. */
  dropTokens: (sessionId: OnboardingSessionId) => Promise<void>;
  clock: () => Date;
}) {
  const { store, csrf, refuseRemoved, dropTokens, clock } = deps;
  /** @throws {Problem} 403, 404, 409, 410 */
  return async (
    caller: Caller,
    request: GiveConsent,
    authorIn: (organizationId: OrganizationId) => Author,
  ): Promise<ConsentGiven> => {
    await refuseRemoved(
      await store.withSessions(caller.subject, async (sessions) => ownSession(sessions, request.session)),
    );
    const ended = await store.withSessions(caller.subject, async (sessions, { save, record }) => {
      const session = ownSession(sessions, request.session);
      if (!csrf.isValid(request.csrf_token, session.id, 'consent', session.userId)) throw csrfTokenInvalid();
      refuseEnded(session, clock());
      const { organizationId } = session;
      if (session.step !== 'consent' || organizationId === null) throw sessionConflict();
      await save({ ...session, step: 'done', decision: request.decision });
      await record(authorIn(organizationId), {
        action: request.decision === 'deny' ? 'organization.consent_denied' : 'organization.consent_given',
        targets: [{ type: 'organization', id: organizationId, name: null }],
      });
      return { id: session.id, organizationId, returnTo: session.returnTo };
    });
    await dropTokens(ended.id).catch(() => undefined); // they expire with the session
    return {
      redirect_to: redirectOf(ended.returnTo, request.decision),
      organization_id: ended.organizationId,
      token_refresh_required: true,
    };
  };
}
