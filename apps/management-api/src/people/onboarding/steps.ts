import type { OrganizationId, UserId } from '@legate/ids';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { OnboardingContext } from './onboarding.ts';
import type { Decision, Step } from './session.ts';

/** A user signed in by the identity provider. */
export interface Identity {
  readonly userId: UserId;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** True if the identity provider verified the address, or says nothing of it and TRUST_IDP_EMAIL is set */
  readonly emailProven: boolean;
  readonly name: string | undefined;
  readonly organizationId: OrganizationId | undefined;
}

/** A browser's proof of its sign-in. A session id alone proves nothing: it appears in URLs and forms. */
export interface BrowserProof {
  readonly sessionId: OnboardingSessionId;
  readonly userId: UserId;
  /** Known to this browser alone; we keep its hash. */
  readonly secret: string;
}

/** The progress of a session, for its user. */
export interface Progress {
  /** `creating` only while a request works on it; unfinished work can be requested again. */
  readonly step: Step;
  readonly context: OnboardingContext;
  /** Where the browser goes at the end */
  readonly redirectTo: string;
  readonly decision: Decision | null;
}
