import type { OrganizationId, UserId } from '@legate/ids';
import type { OnboardingSessionId } from '../domain/ids.ts';
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
  readonly name: string | null;
  readonly step: Step;
  /** The identity provider knows the organization by it. */
  readonly externalId: string;
  readonly organizationId: OrganizationId | null;
  readonly requestHash: Buffer | null;
  /** Until then an attempt is assumed to be running. */
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
