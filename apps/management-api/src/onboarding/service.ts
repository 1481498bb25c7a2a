import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../caller/caller.ts';
import type { Author } from '../changes/author.ts';
import type { Membership } from '../members/membership-store.ts';
import { membershipRevoked } from '../members/problems.ts';
import { storable } from '../resources/storable-text.ts';
import { createContextOf, type OrganizationDetails } from './context.ts';
import { type CreateOnce, createOrganizationCreation } from './creation.ts';
import type { CsrfTokens } from './csrf.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import { createLinkAgain } from './link-again.ts';
import type { ConsentGiven, GiveConsent, OnboardingContext } from './onboarding.ts';
import type { RecordOrganization } from './organization-record.ts';
import { ownSession, refuseEnded, touched } from './own-session.ts';
import { csrfTokenInvalid, sessionConflict, sessionExpired, sessionNotFound } from './problems.ts';
import { type Decision, expiryOf, type OnboardingSession, type Step } from './session.ts';
import type { SessionStore } from './session-store.ts';

/** Whom the identity provider has signed in. */
export interface Identity {
  readonly userId: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  readonly organizationId: string | undefined;
}

/** What a browser shows of its sign-in. A session id alone proves nothing: it is in URLs and forms. */
export interface BrowserProof {
  readonly sessionId: string;
  readonly userId: string;
  /** Known to this browser alone; we keep its hash. */
  readonly secret: string;
}

/** Where a session is, for the eyes of its user. */
export interface Progress {
  /** `creating` only while somebody is at work on it; what was left half done can be asked for again. */
  readonly step: Step;
  readonly context: OnboardingContext;
  /** Where the browser goes in the end */
  readonly redirectTo: string;
  readonly decision: Decision | null;
}

export interface Onboarding {
  /**
   * Where the identity provider names no organization of a member here, it is told of it again, or he is refused.
   * @param way.browserSecret of the browser in which our own pages go on
   * @returns the id of a new session, never of one that was handed in: nobody can be led into another's
   * @throws {Problem} as `LinkAgain`
   */
  start(
    identity: Identity,
    way: {
      returnTo: string;
      browserSecret?: string;
      /** The user, as whom nobody has called yet */
      authorIn: (organizationId: string) => Author;
    },
  ): Promise<string>;
  /** @returns who has started the session in this browser, as he was signed in. @throws {Problem} 404 */
  recognize(proof: BrowserProof): Promise<Identity>;
  /** As `find`, and of a session that has ended too, until it expires. @throws {Problem} 404, 410 */
  progress(caller: Caller, sessionId: string): Promise<Progress>;
  /** @throws {Problem} 403 `membership_revoked`, 404, 409 `onboarding_session_used`, 410 */
  find(caller: Caller, sessionId: string): Promise<OnboardingContext>;
  readonly createOrganization: CreateOnce;
  /** Ends the session, and tells of the decision in the organization's audit trail. @throws {Problem} 403, 404, 409, 410 */
  consent(
    caller: Caller,
    request: GiveConsent,
    authorIn: (organizationId: string) => Author,
  ): Promise<ConsentGiven>;
}

/** The steps from a sign-in to an organization. */
export function createOnboarding(deps: {
  /** Of the users who sign in */
  issuer: string;
  relinkMembers: boolean;
  store: SessionStore;
  directory: IdentityDirectory;
  record: RecordOrganization;
  loadDetails: (organizationId: string) => Promise<OrganizationDetails>;
  /** The tokens of the sign-in are of no use when the session has ended. */
  dropTokens: (sessionId: string) => Promise<void>;
  csrf: CsrfTokens;
  clock: () => Date;
  onDetailsMissing: (err: unknown) => void;
  /** What the organization itself says of the user */
  membershipOf: (organizationId: string, userId: string) => Promise<Membership>;
}): Onboarding {
  const { store, csrf, clock } = deps;
  const contextOf = createContextOf(deps);
  const createOrganization = createOrganizationCreation({ ...deps, contextOf });
  const linkAgain = createLinkAgain(deps);

  /**
   * The token of an API caller may name no organization, as it does before it is refreshed: then nobody has asked yet. Not
   * within the transaction, which may have the only connection. @throws {Problem} 403 `membership_revoked`
   */
  async function refuseRemoved({ organizationId, userId }: OnboardingSession): Promise<void> {
    if (organizationId === null) return;
    const { state } = await deps.membershipOf(organizationId, userId);
    if (state === 'removed') throw membershipRevoked();
  }

  return {
    createOrganization,

    async start({ userId, email, emailVerified, name, ...identity }, { returnTo, browserSecret, authorIn }) {
      const organizationId = identity.organizationId ?? (await linkAgain(userId, authorIn));
      const id = randomUUID();
      const now = clock();
      await store.insert({
        id,
        userId,
        email: storable(email),
        emailVerified,
        name: storable(name),
        step: organizationId === undefined ? 'create_org' : 'consent',
        externalId: id,
        organizationId: organizationId ?? null,
        requestHash: null,
        leaseUntil: null,
        returnTo,
        browserHash: browserSecret === undefined ? null : sha256(browserSecret),
        decision: null,
        createdAt: now,
        expiresAt: expiryOf(now, now),
      });
      return id;
    },

    async recognize({ sessionId, userId, secret }) {
      const session = await store.withSessions(userId, async (sessions) => ownSession(sessions, sessionId));
      const { browserHash, email, emailVerified, name, organizationId, requestHash } = session;
      if (!browserHash || !timingSafeEqual(browserHash, sha256(secret))) throw sessionNotFound();
      const isCreatedHere = requestHash !== null;
      return {
        userId,
        email: email ?? undefined,
        emailVerified,
        name: name ?? undefined,
        organizationId: isCreatedHere ? undefined : (organizationId ?? undefined),
      };
    },

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

    async consent(caller, request, authorIn) {
      await refuseRemoved(
        await store.withSessions(caller.subject, async (sessions) => ownSession(sessions, request.session)),
      );
      const ended = await store.withSessions(caller.subject, async (sessions, { save, record }) => {
        const session = ownSession(sessions, request.session);
        if (!csrf.isValid(request.csrf_token, session.id, 'consent', session.userId))
          throw csrfTokenInvalid();
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
      await deps.dropTokens(ended.id).catch(() => undefined); // they expire with the session
      return {
        redirect_to: redirectOf(ended.returnTo, request.decision),
        organization_id: ended.organizationId,
        token_refresh_required: true,
      };
    },
  };
}

function redirectOf(returnTo: string, decision: Decision | null): string {
  const url = new URL(returnTo);
  if (decision === 'deny') url.searchParams.set('code', 'consent_denied');
  return url.href;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
