import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { OnboardingSessionId } from '../domain/ids.ts';
import { storable } from '../domain/storable-text.ts';
import type { LinkAgain } from './link-again.ts';
import { ownSession } from './own-session.ts';
import { sessionNotFound } from './problems.ts';
import { expiryOf } from './session.ts';
import type { SessionStore } from './session-store.ts';
import type { Onboarding } from './steps.ts';

/** Begins sessions, and recognizes the browser that one was begun in. */
export function createSessionStart(deps: {
  store: SessionStore;
  linkAgain: LinkAgain;
  clock: () => Date;
}): Pick<Onboarding, 'start' | 'recognize'> {
  const { store, linkAgain, clock } = deps;
  return {
    async start({ userId, email, emailVerified, name, ...identity }, { returnTo, browserSecret, authorIn }) {
      const organizationId = identity.organizationId ?? (await linkAgain(userId, authorIn));
      const id = OnboardingSessionId.parse(randomUUID());
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
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
