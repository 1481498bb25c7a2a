import { OAuthError } from '@legate/oauth';
import { TransactionRefused, type TransactionSubject } from '@legate/transaction-tokens';
import { reachesOf } from '../../domain/reach.ts';
import type { SessionStore } from '../../sign-in/session-store.ts';

/**
 * Refuses a subject token whose user or organization was revoked, or whose user has signed out, since it was issued:
 * the tool server accepts it until it expires, and must not get new tokens for it.
 */
export function createAccessCheck(ends: Pick<SessionStore, 'endsOf'>) {
  /** @throws {OAuthError} `access_denied`; `temporarily_unavailable` while it is unknown whether access has ended */
  return async ({ claims, organizationId }: TransactionSubject): Promise<void> => {
    const reaches = reachesOf({ userId: claims.sub, organizationId });
    const found = await ends.endsOf(reaches).catch((cause: unknown) => {
      throw new OAuthError('temporarily_unavailable', 'revocations cannot be read', { cause });
    });
    if (found.some((end) => end !== undefined && Math.floor(end.at / 1000) > claims.iat))
      throw new TransactionRefused(
        'access_revoked',
        'access_denied',
        'access has ended since the token was issued',
      );
  };
}
