import type { OrganizationId, UserId } from '@legate/ids';
import type { Author } from '../domain/author.ts';
import type { Caller } from '../domain/caller.ts';
import type { OnboardingSessionId } from '../domain/ids.ts';
import type { CreateOnce } from './creation.ts';
import type { ConsentGiven, GiveConsent, OnboardingContext } from './onboarding.ts';
import type { Decision, Step } from './session.ts';

/** A user signed in by the identity provider. */
export interface Identity {
  readonly userId: UserId;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
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

export interface Onboarding {
  /**
   * If the identity provider names no organization for a member here, links the member again or refuses the sign-in.
   * @param way.browserSecret of the browser in which our own pages continue
   * @returns the id of a new session, never one from the request, which prevents session fixation
   * @throws {Problem} as `LinkAgain`
   */
  start(
    identity: Identity,
    way: {
      returnTo: string;
      browserSecret?: string;
      /** The user, who has not called with a token yet */
      authorIn: (organizationId: OrganizationId) => Author;
    },
  ): Promise<OnboardingSessionId>;
  /** @returns the user who started the session in this browser, as they signed in. @throws {Problem} 404 */
  recognize(proof: BrowserProof): Promise<Identity>;
  /** Like `find`, but also for a completed session, until it expires. @throws {Problem} 404, 410 */
  progress(caller: Caller, sessionId: OnboardingSessionId): Promise<Progress>;
  /** @throws {Problem} 403 `membership_revoked`, 404, 409 `onboarding_session_used`, 410 */
  find(caller: Caller, sessionId: OnboardingSessionId): Promise<OnboardingContext>;
  readonly createOrganization: CreateOnce;
  /**
   * Ends the session, and records the decision in the organization's audit trail. @throws {Problem} 403, 404, 409, 410
   */
  consent(
    caller: Caller,
    request: GiveConsent,
    authorIn: (organizationId: OrganizationId) => Author,
  ): Promise<ConsentGiven>;
}
