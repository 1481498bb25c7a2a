import { type Logger, Problem } from '@legate/service';
import type { ExchangeTokens } from './exchange-token.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { findChangedClaim } from './renewed-id-token.ts';
import type { SessionRecord } from './session-record.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

interface Taken {
  /** Undefined if the provider returns none at a refresh */
  readonly idToken: string | undefined;
  readonly refreshToken: string;
  readonly others: Partial<SessionRecord>;
}

interface Taking {
  readonly verifyIdToken: VerifyIdToken;
  readonly exchangeTokens: Pick<ExchangeTokens, 'useRefreshTokens' | 'isUnproven'>;
  readonly refreshTokens: Pick<RefreshTokens, 'hasPublicSubjects'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** @returns the session with the new tokens, or what is wrong with them */
export async function takeTokens(
  deps: Taking,
  record: SessionRecord,
  { idToken, refreshToken, others }: Taken,
): Promise<SessionRecord | string> {
  if (idToken === undefined) {
    const kept = await keptWithoutIdToken(deps, record, refreshToken);
    return { ...record, ...others, ...kept, hasLastIdToken: true };
  }
  const verified = await deps.verifyIdToken(idToken).catch((err: unknown) => {
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
  return { ...record, ...others, ...renewed, refreshToken, isProven: true };
}

/** Returns what a session keeps that ends with its current ID token: the refresh token, only for exchanges. */
async function keptWithoutIdToken(
  { exchangeTokens, refreshTokens, log }: Taking,
  record: SessionRecord,
  refreshToken: string,
): Promise<Pick<SessionRecord, 'refreshToken' | 'isProven'>> {
  if (!exchangeTokens.useRefreshTokens) return { refreshToken: undefined };
  if (!exchangeTokens.isUnproven(record)) return { refreshToken };
  // The user of each ID-JAG is compared.
  if (await refreshTokens.hasPublicSubjects()) return { refreshToken, isProven: true };
  const { clientId } = record;
  log.warn({ client_id: clientId }, 'sessions: a refresh token is not used, because its user is unknown');
  return { refreshToken: undefined };
}
