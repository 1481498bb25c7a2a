import { createHash } from 'node:crypto';
import type { Caller } from '../caller/caller.ts';
import type { Author } from '../changes/author.ts';
import type { ContextOf } from './context.ts';
import type { CsrfTokens } from './csrf.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import type { CreateOrganization, OnboardingContext } from './onboarding.ts';
import type { RecordOrganization } from './organization-record.ts';
import { ownSession, refuseEnded, touched } from './own-session.ts';
import { csrfTokenInvalid, inProgress, organizationExists, sessionConflict } from './problems.ts';
import { leaseFrom, type OnboardingSession } from './session.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Creates the organization, once however often it is asked for the same.
 * @throws {Problem} 403, 404, 409, 410; 502 and 503 for what the identity provider does
 */
export type CreateOnce = (
  caller: Caller,
  request: CreateOrganization,
  authorIn: (organizationId: string) => Author,
) => Promise<OnboardingContext>;

type Claim =
  | { readonly kind: 'replay'; readonly session: OnboardingSession }
  | { readonly kind: 'claimed'; readonly session: OnboardingSession; readonly resumed: boolean };

/** `creating` is saved before the identity provider is asked, so that a retry knows to look for what a lost attempt has made. */
export function createOrganizationCreation(deps: {
  store: SessionStore;
  directory: IdentityDirectory;
  record: RecordOrganization;
  csrf: CsrfTokens;
  contextOf: ContextOf;
  clock: () => Date;
}): CreateOnce {
  const { store, directory, csrf, contextOf, clock } = deps;

  /** In one transaction: who asks second waits, and then finds what the first one has left. */
  const claim = (caller: Caller, request: CreateOrganization): Promise<Claim> =>
    store.withSessions(caller.subject, async (sessions, { save, ownOrganizations }) => {
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
      const attempt = sessions.find(({ step }) => step === 'creating');
      if (!attempt && (await ownOrganizations(caller.issuer)).length > 0) throw organizationExists();
      if (attempt?.leaseUntil && attempt.leaseUntil > clock()) throw inProgress();
      // What another session left half done is finished here: its organization may exist already.
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
      return { kind: 'claimed', session: claimed, resumed: attempt !== undefined };
    });

  const hasOrganization = ({ issuer, subject }: Caller): Promise<boolean> =>
    store.withSessions(
      subject,
      async (_sessions, { ownOrganizations }) => (await ownOrganizations(issuer)).length > 0,
    );

  const finish = (claimed: OnboardingSession, organizationId: string): Promise<void> =>
    store.withSessions(claimed.userId, async (sessions, { save }) => {
      const session = ownSession(sessions, claimed.id);
      // A slow attempt, after another one has finished the same
      if (session.step === 'consent' || session.step === 'done') return;
      await save({ ...touched(session, clock()), step: 'consent', organizationId, leaseUntil: null });
    });

  /** So that a retry need not wait for an attempt that has failed. */
  const release = (claimed: OnboardingSession): Promise<void> =>
    store.withSessions(claimed.userId, async (sessions, { save }) => {
      const session = ownSession(sessions, claimed.id);
      const isOurs = session.leaseUntil?.getTime() === claimed.leaseUntil?.getTime();
      if (session.step === 'creating' && isOurs) await save({ ...session, leaseUntil: null });
    });

  return async (caller, request, authorIn) => {
    const claimed = await claim(caller, request);
    const { session } = claimed;
    if (claimed.kind === 'replay') return contextOf(session, request.name);
    const { userId, externalId, email, name } = session;
    try {
      const begun = claimed.resumed ? await directory.findOrganization(externalId) : undefined;
      // All of it may have been done, and the identity provider have lost it since.
      if (claimed.resumed && !begun && (await hasOrganization(caller))) throw organizationExists();
      const id = begun ?? (await directory.createOrganization(externalId, request.name));
      await directory.addOwner(id, userId);
      const owner = { issuer: caller.issuer, userId, email, name };
      await deps.record(authorIn(id), { id, name: request.name, owner });
      await finish(session, id);
      return await contextOf({ ...session, organizationId: id }, request.name);
    } catch (err) {
      await release(session).catch(() => undefined); // the lease ends by itself
      throw err;
    }
  };
}

const hashOf = (userId: string, name: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([userId, name]))
    .digest();
