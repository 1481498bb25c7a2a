import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UserId } from '@legate/ids';
import type { InvitationId, OnboardingSessionId } from '../domain/ids.ts';

/** The steps that a browser submits; each has its own token. */
export type CsrfStep = 'create_org' | 'consent' | `invitation:${InvitationId}`;

export type CsrfTokens = ReturnType<typeof createCsrfTokens>;

/** HMAC-SHA256 over session, step and user. @param key a secret of the service, the same in all its processes */
export function createCsrfTokens(key: string) {
  /** The same each time, so that a retry may send it again; nothing is stored. */
  const tokenFor = (sessionId: OnboardingSessionId, step: CsrfStep, userId: UserId): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([sessionId, step, userId]))
      .digest('base64url');
  return {
    tokenFor,
    /** Compares in constant time. */
    isValid(token: string, sessionId: OnboardingSessionId, step: CsrfStep, userId: UserId): boolean {
      const expected = Buffer.from(tokenFor(sessionId, step, userId));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
