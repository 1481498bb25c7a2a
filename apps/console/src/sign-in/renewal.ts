import { randomUUID } from 'node:crypto';
import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { problem, signedOut } from '../domain/problem-codes.ts';
import type { Session } from '../sessions/session-record.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { SignInFailed } from './failures.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { tokensOf } from './tokens-of.ts';

/**
 * Longer than the identity provider may take to respond. If a process dies during a renewal, the lock blocks
 * the session this long.
 */
const LOCK_SECONDS = 15;
const WAIT_MS = 50;
/** Three seconds */
const WAITS = 60;

export type Renewal = ReturnType<typeof createRenewal>;

/**
 * Renews the tokens of a session. Only one renewal runs at a time across all processes, since a refresh token
 * may be used only once.
 */
export function createRenewal(deps: {
  store: SecureStore;
  sessions: Pick<Sessions, 'findByKey' | 'replaceTokens' | 'remove'>;
  identityProvider: Pick<IdentityProvider, 'refresh' | 'revoke'>;
  pause: (ms: number) => Promise<void>;
  clock: () => Date;
  log: Logger;
}) {
  const { store, sessions, identityProvider, log } = deps;
  const now = () => Math.floor(deps.clock().getTime() / 1000);

  /** @throws {Problem} 401 if the session has ended in the meantime */
  async function current({ key }: Session): Promise<Session> {
    const found = await sessions.findByKey(key);
    if (!found) throw signedOut();
    return found;
  }

  /** Returns the session if its tokens are still valid, although they could not be renewed. @throws {Problem} 503 */
  function asItIs(session: Session, cause?: unknown): Session {
    if (session.record.tokens.accessTokenExpiresAt > now()) return session;
    throw problem('identity_provider_unavailable', {
      headers: { 'Retry-After': '5' },
      cause,
      isExpected: true,
    });
  }

  async function end(session: Session, reason: string): Promise<never> {
    await sessions.remove(session);
    log.info({ user_id: session.record.userId, reason }, 'session ended');
    throw signedOut();
  }

  async function refresh(session: Session, refreshToken: string): Promise<Session> {
    const { userId, organizationId, tokens: kept } = session.record;
    let grant: Awaited<ReturnType<IdentityProvider['refresh']>>;
    try {
      grant = await identityProvider.refresh(refreshToken);
    } catch (err) {
      if (!(err instanceof SignInFailed)) throw err;
      if (err.code === 'sign_in_refused') return end(session, 'refresh_refused');
      if (err.code === 'organization_ambiguous') return end(session, 'another_identity');
      log.warn({ reason: err.code }, 'tokens could not be renewed');
      return asItIs(session, err);
    }
    const { identity } = grant;
    if (identity && (identity.userId !== userId || identity.organizationId !== organizationId)) {
      if (grant.refreshToken) await identityProvider.revoke(grant.refreshToken).catch(() => undefined);
      return end(session, 'another_identity');
    }
    const tokens = tokensOf(grant, now(), kept);
    const renewed = tokens && (await sessions.replaceTokens(session, tokens));
    if (renewed) return renewed;
    // The session ended in the meantime, so nobody may use the tokens that were just issued for it.
    if (grant.refreshToken) await identityProvider.revoke(grant.refreshToken).catch(() => undefined);
    throw signedOut();
  }

  async function renew(session: Session): Promise<Session> {
    const { refreshToken } = session.record.tokens;
    if (refreshToken === undefined)
      return session.record.tokens.accessTokenExpiresAt > now() ? session : end(session, 'expired');
    const [name, mine] = [`renewing:${session.key}`, randomUUID()];
    for (let waits = 0; !(await store.add(name, mine, LOCK_SECONDS)); waits += 1) {
      if (waits >= WAITS) return asItIs(await current(session));
      await deps.pause(WAIT_MS);
      const found = await current(session);
      if (found.text !== session.text) return found;
    }
    try {
      const found = await current(session);
      if (found.text !== session.text) return found;
      return await refresh(found, found.record.tokens.refreshToken ?? refreshToken);
    } finally {
      await store.replace(name, mine, undefined).catch(() => undefined); // if this fails, the lock expires by itself
    }
  }

  return {
    renew,
    /** Renews tokens that are about to expire. @throws {Problem} 401, 503 */
    renewIfDue: async (session: Session): Promise<Session> =>
      session.record.tokens.renewAt > now() ? session : renew(session),
  };
}
