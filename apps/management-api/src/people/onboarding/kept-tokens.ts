import type { SecureStore } from '@legate/secure-store';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import { storeUnavailable } from './problems.ts';

/** How long tokens are kept: at most the life of a session */
const TOKENS_SECONDS = 30 * 60;

/** Stores the tokens of a sign-in as long as its onboarding session. */
export function createKeptTokens(store: SecureStore) {
  const keyOf = (sessionId: OnboardingSessionId) => `onboarding:${sessionId}`;
  return {
    keep: (sessionId: OnboardingSessionId, tokens: object): Promise<void> =>
      store.set(keyOf(sessionId), JSON.stringify(tokens), TOKENS_SECONDS).catch(storeUnavailable),
    async drop(sessionId: OnboardingSessionId): Promise<void> {
      await store.delete(keyOf(sessionId));
    },
  };
}
