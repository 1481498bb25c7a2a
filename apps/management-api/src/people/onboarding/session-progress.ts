import type { Caller } from '../../domain/caller.ts';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { ContextOf } from './context.ts';
import { sessionExpired } from './problems.ts';
import { type OnboardingSession, ownSession, redirectOf, refuseEnded, touched } from './session.ts';
import type { SessionStore } from './session-store.ts';
import type { Progress } from './steps.ts';

/** Returns to users the progress of their sessions. */
export function createSessionProgress(deps: {
  store: SessionStore;
  contextOf: ContextOf;
  refuseUnadmitted: (session: OnboardingSession, caller: Caller) => Promise<void>;
  clock: () => Date;
}) {
  const { store, contextOf, refuseUnadmitted, clock } = deps;
  return {
    /** Returns the progress of a session, even a completed one, until it expires. @throws {Problem} 404, 410 */
    async progress(caller: Caller, sessionId: OnboardingSessionId): Promise<Progress> {
      const session = await store.withSessions(caller.subject, async (sessions, { save }) => {
        const found = ownSession(sessions, sessionId);
        if (found.expiresAt <= clock()) throw sessionExpired();
        if (found.step !== 'done') await save(touched(found, clock()));
        return found;
      });
      const { step, leaseUntil, decision } = session;
      const isAbandoned = step === 'creating' && !(leaseUntil && leaseUntil > clock());
      return {
        step: isAbandoned ? 'create_org' : step,
        context: await contextOf(session),
        redirectTo: redirectOf(session.returnTo, decision),
        decision,
      };
    },

    /** @throws {Problem} 403 `membership_revoked`, `consent_denied`, 404, 409 `onboarding_session_used`, 410 */
    async find(caller: Caller, sessionId: OnboardingSessionId) {
      const session = await store.withSessions(caller.subject, async (sessions, { save }) => {
        const found = ownSession(sessions, sessionId);
        refuseEnded(found, clock());
        await save(touched(found, clock()));
        return found;
      });
      await refuseUnadmitted(session, caller);
      return contextOf(session);
    },
  };
}
