import type { OnboardingSessionId } from '../domain/ids.ts';
import { sessionExpired, sessionNotFound, sessionUsed } from './problems.ts';
import { type Decision, expiryOf, type OnboardingSession } from './session.ts';

/** @param sessions the user's. @throws {Problem} 404 */
export function ownSession(
  sessions: readonly OnboardingSession[],
  id: OnboardingSessionId,
): OnboardingSession {
  const session = sessions.find((candidate) => candidate.id === id.toLowerCase());
  if (!session) throw sessionNotFound();
  return session;
}

/** @throws {Problem} 409 `onboarding_session_used`, 410 */
export function refuseEnded(session: OnboardingSession, now: Date): void {
  if (session.step === 'done') throw sessionUsed();
  if (session.expiresAt <= now) throw sessionExpired();
}

export const touched = (session: OnboardingSession, now: Date): OnboardingSession => ({
  ...session,
  expiresAt: expiryOf(session.createdAt, now),
});

/** Returns where the browser goes in the end. */
export function redirectOf(returnTo: string, decision: Decision | null): string {
  const url = new URL(returnTo);
  if (decision === 'deny') url.searchParams.set('code', 'consent_denied');
  return url.href;
}
