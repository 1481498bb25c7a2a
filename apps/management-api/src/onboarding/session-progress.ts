import type { ContextOf } from './context.ts';
import { ownSession, redirectOf, refuseEnded, touched } from './own-session.ts';
import { sessionExpired } from './problems.ts';
import type { RefuseRemoved } from './refuse-removed.ts';
import type { SessionStore } from './session-store.ts';
import type { Onboarding } from './steps.ts';

/** Shows users where their session is. */
export function createSessionProgress(deps: {
  store: SessionStore;
  contextOf: ContextOf;
  refuseRemoved: RefuseRemoved;
  clock: () => Date;
}): Pick<Onboarding, 'progress' | 'find'> {
  const { store, contextOf, refuseRemoved, clock } = deps;
  return {
    async progress(caller, sessionId) {
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

    async find(caller, sessionId) {
      const session = await store.withSessions(caller.subject, async (sessions, { save }) => {
        const found = ownSession(sessions, sessionId);
        refuseEnded(found, clock());
        await save(touched(found, clock()));
        return found;
      });
      await refuseRemoved(session);
      return contextOf(session);
    },
  };
}
