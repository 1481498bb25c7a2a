import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../caller/caller.ts';
import { type Author, storable } from '../changes/author.ts';
import type { CsrfTokens } from './csrf.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import type { ConsentGiven, CreateOrganization, GiveConsent, OnboardingContext } from './onboarding.ts';
import type { RecordOrganization } from './organization-record.ts';
import {
  csrfTokenInvalid,
  inProgress,
  organizationExists,
  sessionConflict,
  sessionExpired,
  sessionNotFound,
  sessionUsed,
} from './problems.ts';
import {
  type Decision,
  expiryOf,
  hasCreatedLately,
  leaseFrom,
  type OnboardingSession,
  type Step,
} from './session.ts';
import type { SessionStore } from './session-store.ts';
import { suggestOrganizationName } from './suggested-name.ts';

/** Whom the identity provider has signed in. */
export interface Identity {
  readonly userId: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  readonly organizationId: string | undefined;
}

export interface OrganizationDetails {
  readonly name: string;
  /** Verified ones */
  readonly domains: readonly string[];
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
   * @param browserSecret of the browser in which our own pages go on
   * @returns the id of a new session, never of one that was handed in: nobody can be led into another's
   */
  start(identity: Identity, returnTo: string, browserSecret?: string): Promise<string>;
  /** @returns who has started the session in this browser, as he was signed in. @throws {Problem} 404 */
  recognize(proof: BrowserProof): Promise<Identity>;
  /** As `find`, and of a session that has ended too, until it expires. @throws {Problem} 404, 410 */
  progress(caller: Caller, sessionId: string): Promise<Progress>;
  /** @throws {Problem} 404, 409 `onboarding_session_used`, 410 */
  find(caller: Caller, sessionId: string): Promise<OnboardingContext>;
  /**
   * Creates the organization, once however often it is asked for the same.
   * @throws {Problem} 403, 404, 409, 410; 502 and 503 for what the identity provider does
   */
  createOrganization(
    caller: Caller,
    request: CreateOrganization,
    authorIn: (organizationId: string) => Author,
  ): Promise<OnboardingContext>;
  /** Ends the session, and tells of the decision in the organization's audit trail. @throws {Problem} 403, 404, 409, 410 */
  consent(
    caller: Caller,
    request: GiveConsent,
    authorIn: (organizationId: string) => Author,
  ): Promise<ConsentGiven>;
}

const WARNING =
  'Your organization was created, but its details could not be loaded. You can continue; some information may be missing.';

type Claim =
  | { readonly kind: 'replay'; readonly session: OnboardingSession }
  | { readonly kind: 'claimed'; readonly session: OnboardingSession; readonly resumed: boolean };

/**
 * The steps from a sign-in to an organization. `creating` is saved before the identity provider is asked, so that a retry
 * knows to look for what a lost attempt has made.
 */
export function createOnboarding(deps: {
  store: SessionStore;
  directory: IdentityDirectory;
  record: RecordOrganization;
  loadDetails: (organizationId: string) => Promise<OrganizationDetails>;
  /** The tokens of the sign-in are of no use when the session has ended. */
  dropTokens: (sessionId: string) => Promise<void>;
  csrf: CsrfTokens;
  clock: () => Date;
  onDetailsMissing: (err: unknown) => void;
}): Onboarding {
  const { store, directory, csrf, clock } = deps;

  const touched = (session: OnboardingSession): OnboardingSession => ({
    ...session,
    expiresAt: expiryOf(session.createdAt, clock()),
  });

  /** In one transaction: who asks second waits, and then finds what the first one has left. */
  const claim = (caller: Caller, request: CreateOrganization): Promise<Claim> =>
    store.withSessions(caller.subject, async (sessions, save) => {
      const session = ownSession(sessions, request.session);
      if (!csrf.isValid(request.csrf_token, session.id, 'create_org', session.userId))
        throw csrfTokenInvalid();
      const requestHash = hashOf(session.userId, request.name);
      refuseEnded(session, clock());
      // A replay comes before all that its first success has changed.
      if (session.step === 'consent') {
        if (session.requestHash === null) throw organizationExists();
        if (!session.requestHash.equals(requestHash)) throw sessionConflict();
        return { kind: 'replay', session };
      }
      if (session.step === 'creating' && !session.requestHash?.equals(requestHash)) throw sessionConflict();
      if (session.step === 'create_org' && caller.organizationId !== undefined) throw organizationExists();
      if (hasCreatedLately(sessions, session, clock())) throw organizationExists();
      const attempt = sessions.find(({ step }) => step === 'creating');
      if (attempt?.leaseUntil && attempt.leaseUntil > clock()) throw inProgress();
      // What another session left half done is finished here: its organization may exist already.
      if (attempt && attempt.id !== session.id) {
        await save({ ...attempt, step: 'create_org', leaseUntil: null });
      }
      const claimed: OnboardingSession = {
        ...touched(session),
        step: 'creating',
        externalId: attempt?.externalId ?? session.externalId,
        requestHash,
        leaseUntil: leaseFrom(clock()),
      };
      await save(claimed);
      return { kind: 'claimed', session: claimed, resumed: attempt !== undefined };
    });

  const finish = (claimed: OnboardingSession, organizationId: string): Promise<void> =>
    store.withSessions(claimed.userId, async (sessions, save) => {
      const session = ownSession(sessions, claimed.id);
      // A slow attempt, after another one has finished the same
      if (session.step === 'consent' || session.step === 'done') return;
      await save({ ...touched(session), step: 'consent', organizationId, leaseUntil: null });
    });

  /** So that a retry need not wait for an attempt that has failed. */
  const release = (claimed: OnboardingSession): Promise<void> =>
    store.withSessions(claimed.userId, async (sessions, save) => {
      const session = ownSession(sessions, claimed.id);
      const isOurs = session.leaseUntil?.getTime() === claimed.leaseUntil?.getTime();
      if (session.step === 'creating' && isOurs) await save({ ...session, leaseUntil: null });
    });

  async function contextOf(session: OnboardingSession, knownName = ''): Promise<OnboardingContext> {
    const { id, userId, email, name, organizationId } = session;
    const needsOrgCreation = organizationId === null;
    const details = needsOrgCreation
      ? { name: '', domains: [] }
      : await deps.loadDetails(organizationId).catch((err: unknown) => {
          deps.onDetailsMissing(err);
          return undefined;
        });
    return {
      user: { email: email ?? '', name: name ?? '', organizationName: details?.name ?? knownName },
      domains: [...(details?.domains ?? [])],
      csrfToken: csrf.tokenFor(id, needsOrgCreation ? 'create_org' : 'consent', userId),
      needsOrgCreation,
      suggestedOrgName: needsOrgCreation ? suggestOrganizationName(email, session.emailVerified) : null,
      ...(!details && { warning: WARNING }),
    };
  }

  return {
    async start({ userId, email, emailVerified, name, organizationId }, returnTo, browserSecret) {
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
      const session = await store.withSessions(caller.subject, async (sessions, save) => {
        const found = ownSession(sessions, sessionId);
        if (found.expiresAt <= clock()) throw sessionExpired();
        if (found.step !== 'done') await save(touched(found));
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
      const session = await store.withSessions(caller.subject, async (sessions, save) => {
        const found = ownSession(sessions, sessionId);
        refuseEnded(found, clock());
        await save(touched(found));
        return found;
      });
      return contextOf(session);
    },

    async createOrganization(caller, request, authorIn) {
      const claimed = await claim(caller, request);
      const { session } = claimed;
      if (claimed.kind === 'replay') return contextOf(session, request.name);
      const { userId, externalId, email, name } = session;
      try {
        const id =
          (claimed.resumed ? await directory.findOrganization(externalId) : undefined) ??
          (await directory.createOrganization(externalId, request.name));
        await directory.addOwner(id, userId);
        await deps.record(authorIn(id), { id, name: request.name, owner: { userId, email, name } });
        await finish(session, id);
        return await contextOf({ ...session, organizationId: id }, request.name);
      } catch (err) {
        await release(session).catch(() => undefined); // the lease ends by itself
        throw err;
      }
    },

    async consent(caller, request, authorIn) {
      const ended = await store.withSessions(caller.subject, async (sessions, save, record) => {
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

function ownSession(sessions: readonly OnboardingSession[], id: string): OnboardingSession {
  const session = sessions.find((candidate) => candidate.id === id.toLowerCase());
  if (!session) throw sessionNotFound();
  return session;
}

function refuseEnded(session: OnboardingSession, now: Date): void {
  if (session.step === 'done') throw sessionUsed();
  if (session.expiresAt <= now) throw sessionExpired();
}

function redirectOf(returnTo: string, decision: Decision | null): string {
  const url = new URL(returnTo);
  if (decision === 'deny') url.searchParams.set('code', 'consent_denied');
  return url.href;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const hashOf = (userId: string, name: string): Buffer => sha256(JSON.stringify([userId, name]));
