import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@legate/service';
import { findChangedClaim } from './renewed-id-token.ts';
import type { SessionRecord, StoredSession } from './session-record.ts';
import type { SessionStore } from './session-store.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

const WAIT_MS = 100;

/** @returns the session with the new tokens, or what is wrong with them */
export async function takeTokens(
  verifyIdToken: VerifyIdToken,
  record: SessionRecord,
  {
    idToken,
    refreshToken,
    isExchanged,
    others,
  }: {
    idToken: string | undefined;
    refreshToken: string;
    /** Whether exchanges need the refresh token, or access tokens that it renews */
    isExchanged: boolean;
    others: Partial<SessionRecord>;
  },
): Promise<SessionRecord | string> {
  // Not every provider returns an ID token here; without one, the session ends with its current ID token.
  if (idToken === undefined) {
    const kept = isExchanged ? refreshToken : undefined;
    return { ...record, ...others, refreshToken: kept, hasLastIdToken: true };
  }
  const verified = await verifyIdToken(idToken).catch((err: unknown) => {
    if (err instanceof Problem) return err;
    throw err;
  });
  if (verified instanceof Problem) {
    // Without the provider's keys nothing is known about the ID token; the refresh token can obtain another one.
    return verified.status === 503
      ? { ...record, ...others, refreshToken }
      : `renewed ID token: ${verified.code}`;
  }
  const changed = findChangedClaim(record, verified);
  if (changed !== undefined) return `renewed ID token: ${changed}`;
  const { iat, exp } = verified.claims;
  const renewed = { idToken, idTokenIssuedAt: iat, idTokenExpiresAt: exp, hasLastIdToken: undefined };
  return { ...record, ...others, ...renewed, refreshToken };
}

/**
 * Stores the new refresh token with retries: only this process has it, and a short failure of the store must not lose
 * it.
 */
export async function replaceBy(
  store: Pick<SessionStore, 'find' | 'replace'>,
  marked: StoredSession,
  renewed: SessionRecord,
): Promise<StoredSession | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const kept = await store.replace(marked, renewed);
      if (kept || attempt === 1) return kept;
      // The response to an earlier attempt was lost: it may have been executed.
      const found = await store.find(marked.key);
      return found.kind === 'found' && found.session.record.refreshToken === renewed.refreshToken
        ? found.session
        : undefined;
    } catch (err) {
      if (attempt === 5) throw err;
      await delay(WAIT_MS * 2 ** attempt);
    }
  }
}
