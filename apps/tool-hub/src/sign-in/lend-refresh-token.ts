import type { ExchangeTokenLack, LendToken, LentToken } from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import type { Logger } from '@legate/service';
import { isAbandoned, LOST, WAIT_MS } from './refresh-mark.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { replaceBy } from './replace-session.ts';
import type { StoredSession } from './session-record.ts';
import type { SessionStore } from './session-store.ts';
import { rethrowOutage } from './store-outage.ts';
import { createTurns } from './turns.ts';

/** Milliseconds that an exchange waits until other requests with the refresh token have ended */
const PATIENCE_MS = 10_000;

/** Returns how a session's refresh token is lent to an exchange. */
export type LendRefreshToken = (session: StoredSession) => LendToken;

interface Claimed {
  /** The session with the mark: nobody else may send the token. */
  readonly marked: StoredSession;
  /** The session as it was before it was marked */
  readonly session: StoredSession;
  readonly refreshToken: string;
}

/**
 * Lends refresh tokens, by the rule of renewals: the process with the mark `sentAt` sends the token once, whatever it
 * is sent for, and replaces exactly the marked session by the result. A mark that stays means that the token is lost.
 * @see docs/adr/0059-one-rule-for-refresh-tokens.md
 */
export function createLendRefreshToken(deps: {
  store: Pick<SessionStore, 'find' | 'replace'>;
  refreshTokens: Pick<RefreshTokens, 'revoke'>;
  clock: () => Date;
  /** Waits this many milliseconds for another request with the token. */
  pause: (ms: number) => Promise<unknown>;
  log: Logger;
}): LendRefreshToken {
  const { store, clock, pause, log } = deps;
  const now = (): number => epochSeconds(clock());
  const takeTurn = createTurns(pause);

  async function claim(
    first: StoredSession,
    patienceMs: number,
  ): Promise<Claimed | { lack: ExchangeTokenLack }> {
    let session = first;
    // What was read before the caller had its turn may be old, so the first look costs no wait.
    for (let waitedMs = -WAIT_MS; ; waitedMs += WAIT_MS) {
      const { record } = session;
      const { refreshToken, sentAt } = record;
      if (refreshToken === undefined) return { lack: 'session' };
      if (isAbandoned(record, now())) return { lack: 'lost' };
      if (sentAt === undefined) {
        const marked = await store.replace(session, { ...record, sentAt: now() });
        if (marked) return { marked, session, refreshToken };
      }
      if (waitedMs >= patienceMs) return { lack: 'turn' };
      if (sentAt !== undefined && waitedMs >= 0) await pause(WAIT_MS);
      const found = await store.find(session.key);
      if (found.kind !== 'found') return { lack: 'session' };
      session = found.session;
    }
  }

  async function keep({ marked, session, refreshToken }: Claimed, became: LentToken): Promise<void> {
    const { record } = session;
    switch (became.kind) {
      case 'answered': {
        const next = became.next ?? refreshToken;
        const kept = await replaceBy(store, marked, { ...record, refreshToken: next });
        // The session has ended meanwhile.
        if (!kept) await deps.refreshTokens.revoke(next, record.clientId);
        return;
      }
      case 'refused': {
        // The refusal of an exchange usually concerns its target. This one concerns the token.
        const isUseless = became.error === 'invalid_grant';
        await replaceBy(store, marked, isUseless ? { ...record, refreshToken: undefined } : record);
        return;
      }
      case 'untouched':
        await replaceBy(store, marked, record);
        return;
      case 'lost':
        log.warn({ client_id: record.clientId }, 'sessions: a refresh token is lost');
        await replaceBy(store, marked, { ...record, sentAt: LOST });
    }
  }

  return (session) => async (send) => {
    const startedMs = clock().getTime();
    const turn = await takeTurn(session.key, PATIENCE_MS);
    if (!turn) return { lack: 'turn' };
    try {
      const patienceMs = PATIENCE_MS - (clock().getTime() - startedMs);
      const claimed = await claim(session, patienceMs).catch(rethrowOutage);
      if ('lack' in claimed) return claimed;
      const reply = await send(claimed.refreshToken);
      // The reply is good all the same. The mark stays, so the token counts as lost.
      await keep(claimed, reply.became).catch((err: unknown) =>
        log.error({ err, client_id: session.record.clientId }, 'sessions: a refresh token could not be kept'),
      );
      return reply;
    } finally {
      turn.end();
    }
  };
}
