import { setTimeout as delay } from 'node:timers/promises';
import type { SessionRecord, StoredSession } from './session-record.ts';
import type { SessionStore } from './session-store.ts';

const WAIT_MS = 100;

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
