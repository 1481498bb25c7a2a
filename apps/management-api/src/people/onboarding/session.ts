import type { OrganizationId, UserId } from '@legate/ids';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import { sessionExpired, sessionNotFound, sessionUsed } from './problems.ts';

/** The next step; `creating` lasts from the call of the identity provider until everything is saved. */
export type Step = 'create_org' | 'creating' | 'consent' | 'done';
export type Decision = 'approve' | 'deny';

/** The progress of one sign-in to an organization and a consent. Contains no access token of the user. */
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
  /** The identity provider finds the organization by this id. */
  readonly externalId: string;
  readonly organizationId: OrganizationId | null;
  readonly requestHash: Buffer | null;
  /** Time until which an attempt is assumed to be running */
  readonly leaseUntil: Date | null;
  readonly returnTo: string;
  /** SHA-256 of the secret in the browser's cookie; null if our pages may not act in the session */
  readonly browserHash: Buffer | null;
  readonly decision: Decision | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const MINUTE_MS = 60_000;
const IDLE_MS = 10 * MINUTE_MS;
const TOTAL_MS = 30 * MINUTE_MS;
/** Longer than an attempt can wait: four requests of five seconds each. */
const LEASE_MS = 30_000;

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** Returns the end of the session: 10 minutes from now, at most 30 from the start. */
export function expiryOf(createdAt: Date, now: Date): Date {
  return new Date(Math.min(createdAt.getTime() + TOTAL_MS, now.getTime() + IDLE_MS));
}

export const leaseFrom = (now: Date): Date => later(now, LEASE_MS);

/** @param sessions the sessions of the user. @throws {Problem} 404 */
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

/** Returns the page to which the browser returns at the end. */
export function redirectOf(returnTo: string, decision: Decision | null): string {
  const url = new URL(returnTo);
  if (decision === 'deny') url.searchParams.set('code', 'consent_denied');
  return url.href;
}
