import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UserId } from '@legate/ids';
import type { OnboardingSessionId } from '../domain/ids.ts';

/** The steps that a browser submits; each has its own token. */
export type CsrfStep = 'create_org' | 'consent';

export interface CsrfTokens {
  /** The same each time, so that a retry may send it again; nothing is stored. */
  tokenFor(sessionId: OnboardingSessionId, step: CsrfStep, userId: UserId): string;
  /** Compares in constant time. */
  isValid(token: string, sessionId: OnboardingSessionId, step: CsrfStep, userId: UserId): boolean;
}

/** HMAC-SHA256 over session, step and user. @param key a secret of the service, the same in all its processes */
export function createCsrfTokens(key: string): CsrfTokens {
  const mac = (...parts: [string, CsrfStep, string]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return {
    tokenFor: mac,
    isValid(token, sessionId, step, userId) {
      const expected = Buffer.from(mac(sessionId, step, userId));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
