import type { OrganizationId, UserId } from '@legate/ids';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { OnboardingContext } from './onboarding.ts';
import type { Decision, Step } from './session.ts';

/** A user whom the identity provider has signed in. */
export interface Identity {
  readonly userId: UserId;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** True if the identity provider verified the address, or does not state it and TRUST_IDP_EMAIL is set */
  readonly emailProven: boolean;
  readonly name: string | undefined;
  readonly organizationId: OrganizationId | undefined;
}

/** A browser's proof of its sign-in. A session id alone proves nothing: it appears in URLs and forms. */
export interface BrowserProof {
  readonly sessionId: OnboardingSessionId;
  readonly userId: UserId;
  /** A secret that only this browser has; we store its hash. */
  readonly secret: string;
}

/** The progress of a session, for its user. */
export interface Progress {
  /** `creating` only while a request runs; an unfinished creation can be requested again. */
  readonly step: Step;
  readonly context: OnboardingContext;
  /** The page to which the browser returns at the end */
  readonly redirectTo: string;
  readonly decision: Decision | null;
}
