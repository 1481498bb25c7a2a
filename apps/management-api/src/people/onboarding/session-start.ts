import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { OrganizationId } from '@legate/ids';
import type { Author } from '../../domain/author.ts';
import { OnboardingSessionId } from '../../domain/ids.ts';
import { storable } from '../../domain/storable-text.ts';
import type { LinkAgain } from './link-again.ts';
import { sessionNotFound } from './problems.ts';
import { expiryOf, ownSession } from './session.ts';
import type { SessionStore } from './session-store.ts';
import type { BrowserProof, Identity } from './steps.ts';

/** Starts sessions, and recognizes the browser that started a session. */
export function createSessionStart(deps: { store: SessionStore; linkAgain: LinkAgain; clock: () => Date }) {
  const { store, linkAgain, clock } = deps;
  return {
    /**
     * Begins a session. A member for whom the identity provider names no organization is linked again, or their sign-
     * in is refused.
     * @param way.browserSecret secret of the browser in which our own pages continue
     * @param way.authorIn returns the user as author, since they have not called with a token yet
     * @returns the id of a new session, never one from the request, which prevents session fixation
     * @throws {Problem} as `LinkAgain`
     */
    async start(
      { userId, email, emailVerified, emailProven, name, ...identity }: Identity,
      way: {
        returnTo: string;
        browserSecret?: string;
        /** True if the user comes to accept an invitation, which needs no earlier organization */
        isInvited?: boolean;
        authorIn: (organizationId: OrganizationId) => Author;
      },
    ): Promise<OnboardingSessionId> {
      const { returnTo, browserSecret, authorIn } = way;
      const organizationId =
        identity.organizationId ?? (way.isInvited ? undefined : await linkAgain(userId, authorIn));
      const id = OnboardingSessionId.parse(randomUUID());
      const now = clock();
      await store.insert({
        id,
        userId,
        email: storable(email),
        emailVerified,
        // An address that had to be altered for storage is not the one that was proven.
        emailProven: emailProven && storable(email) === email,
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

    /** @returns the user who started the session in this browser, as they signed in. @throws {Problem} 404 */
    async recognize({ sessionId, userId, secret }: BrowserProof): Promise<Identity> {
      const session = await store.withSessions(userId, async (sessions) => ownSession(sessions, sessionId));
      const { browserHash, email, emailVerified, emailProven, name, organizationId, requestHash } = session;
      if (!browserHash || !timingSafeEqual(browserHash, sha256(secret))) throw sessionNotFound();
      const isCreatedHere = requestHash !== null;
      return {
        userId,
        email: email ?? undefined,
        emailVerified,
        emailProven,
        name: name ?? undefined,
        organizationId: isCreatedHere ? undefined : (organizationId ?? undefined),
      };
    },
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
