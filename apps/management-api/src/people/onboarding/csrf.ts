import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UserId } from '@legate/ids';
import type { InvitationId, OnboardingSessionId } from '../../domain/ids.ts';

/** The steps that a browser submits; each has a separate token. */
export type CsrfStep = 'create_org' | 'consent' | `invitation:${InvitationId}`;

export type CsrfTokens = ReturnType<typeof createCsrfTokens>;

/**
 * HMAC-SHA256 over session, step and user.
 * @param keys secrets of the service, the same in all its processes: the first one signs, all of them verify
 */
export function createCsrfTokens([active, ...others]: readonly [string, ...string[]]) {
  const sign = (key: string, parts: readonly [OnboardingSessionId, CsrfStep, UserId]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  /** Returns the same token for each call, so that a retry may send it again; nothing is stored. */
  const tokenFor = (...parts: readonly [OnboardingSessionId, CsrfStep, UserId]): string =>
    sign(active, parts);
  return {
    tokenFor,
    /** Verifies a token in constant time. */
    isValid(token: string, ...parts: readonly [OnboardingSessionId, CsrfStep, UserId]): boolean {
      const given = Buffer.from(token);
      return [active, ...others].some((key) => {
        const expected = Buffer.from(sign(key, parts));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
