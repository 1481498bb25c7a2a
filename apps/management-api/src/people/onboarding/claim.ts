import { createHash } from 'node:crypto';
import type { OrganizationId, UserId } from '@legate/ids';
import type { Caller } from '../../domain/caller.ts';
import type { CsrfTokens } from './csrf.ts';
import type { CreateOrganization } from './onboarding.ts';
import { csrfTokenInvalid, inProgress, organizationExists, sessionConflict } from './problems.ts';
import { leaseFrom, type OnboardingSession, ownSession, refuseEnded, touched } from './session.ts';
import type { SessionStore } from './session-store.ts';

export type Claim =
  /** An earlier request in this session has already had the requested effect. */
  | { readonly kind: 'replay'; readonly session: OnboardingSession }
  /** The session is `creating`, under a lease: no other request of this user can proceed. */
  | {
      readonly kind: 'claimed';
      readonly session: OnboardingSession;
      /** True if an earlier attempt, in this session or another, may have stopped at any step */
      readonly isResumed: boolean;
    };

export type Claims = ReturnType<typeof createClaims>;

/** Ensures that only one request of a user creates an organization at a time. */
export function createClaims(deps: { store: SessionStore; csrf: CsrfTokens; clock: () => Date }) {
  const { store, csrf, clock } = deps;
  return {
    /**
     * Claims a session in one transaction: a second request waits, and then sees the result of the first.
     * @throws {Problem} 403, 404, 409, 410
     */
    claim: (caller: Caller, request: CreateOrganization) =>
      store.withSessions(caller.subject, async (sessions, { save, ownOrganizations }): Promise<Claim> => {
        const session = ownSession(sessions, request.session);
        if (!csrf.isValid(request.csrf_token, session.id, 'create_org', session.userId))
          throw csrfTokenInvalid();
        refuseEnded(session, clock());

        const requestHash = hashOf(session.userId, request.name);
        const isSame = session.requestHash?.equals(requestHash) === true;
        // Replays are handled before the checks that fail once the first request has succeeded.
        if (session.step === 'consent') {
          if (session.requestHash === null) throw organizationExists();
          if (!isSame) throw sessionConflict();
          return { kind: 'replay', session };
        }
        if (session.step === 'creating' && !isSame) throw sessionConflict();
        if (session.step === 'create_org' && caller.organizationId !== undefined) throw organizationExists();

        const attempt = sessions.find(({ step }) => step === 'creating');
        if (!attempt && (await ownOrganizations(caller.issuer)).length > 0) throw organizationExists();
        if (attempt?.leaseUntil && attempt.leaseUntil > clock()) throw inProgress();
        // Completes the unfinished attempt of another session, whose organization may exist already.
        if (attempt && attempt.id !== session.id) {
          await save({ ...attempt, step: 'create_org', leaseUntil: null });
        }
        const claimed: OnboardingSession = {
          ...touched(session, clock()),
          step: 'creating',
          externalId: attempt?.externalId ?? session.externalId,
          requestHash,
          leaseUntil: leaseFrom(clock()),
        };
        await save(claimed);
        return { kind: 'claimed', session: claimed, isResumed: attempt !== undefined };
      }),

    /** Moves the session on to the consent once the organization exists. */
    finish: (claimed: OnboardingSession, organizationId: OrganizationId) =>
      store.withSessions(claimed.userId, async (sessions, { save }) => {
        const session = ownSession(sessions, claimed.id);
        // This attempt was slow, and another one has finished
        if (session.step === 'consent' || session.step === 'done') return;
        await save({ ...touched(session, clock()), step: 'consent', organizationId, leaseUntil: null });
      }),

    /** Ends the lease of a failed attempt, so that a retry need not wait, and keeps what was created so far. */
    release: (claimed: OnboardingSession) =>
      store.withSessions(claimed.userId, async (sessions, { save }) => {
        const session = ownSession(sessions, claimed.id);
        const isOurs = session.leaseUntil?.getTime() === claimed.leaseUntil?.getTime();
        if (session.step === 'creating' && isOurs) await save({ ...session, leaseUntil: null });
      }),

    /** Returns true if the caller is a member of an organization here, whatever the state of their sessions */
    hasOrganization: ({ issuer, subject }: Caller) =>
      store.withSessions(subject, async (_sessions, { ownOrganizations }) => {
        return (await ownOrganizations(issuer)).length > 0;
      }),
  };
}

const hashOf = (userId: UserId, name: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([userId, name]))
    .digest();
