import type { OrganizationId, UserId } from '@legate/ids';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import { sessionExpired, sessionNotFound, sessionUsed } from './problems.ts';

/** The next step; `creating` from before the identity provider is called until everything is saved. */
export type Step = 'create_org' | 'creating' | 'consent' | 'done';
export type Decision = 'approve' | 'deny';

/** The progress of one sign-in to an organization and a consent. Contains no token of the user. */
export interface OnboardingSession {
  /** UUID */
  readonly id: OnboardingSessionId;
  /** `sub` of the ID token */
  readonly userId: UserId;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** See `Identity` */
  readonly emailProven: boolean;
  readonly name: string | null;
  readonly step: Step;
  /** The identity provider knows the organization by it. */
  readonly externalId: string;
  readonly organizationId: OrganizationId | null;
  readonly requestHash: Buffer | null;
  /** Time until which an attempt is assumed to be running */
  readonly leaseUntil: Date | null;
  readonly returnTo: string;
  /** SHA-256 of the secret in the browser's cookie; null where no page of ours may act in it */
  readonly browserHash: Buffer | null;
  readonly decision: Decision | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const MINUTE_MS = 60_000;
const IDLE_MS = 10 * MINUTE_MS;
const TOTAL_MS = 30 * MINUTE_MS;
/** Longer than all that an attempt waits for: four requests of five seconds each. */
const LEASE_MS = 30_000;

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** 10 minutes from now, 30 from the start at most. */
export function expiryOf(createdAt: Date, now: Date): Date {
  return new Date(Math.min(createdAt.getTime() + TOTAL_MS, now.getTime() + IDLE_MS));
}

export const leaseFrom = (now: Date): Date => later(now, LEASE_MS);

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
