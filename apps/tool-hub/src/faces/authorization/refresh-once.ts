import type { FormAnswer } from '@legate/authorization-server';
import { OAuthError } from '@legate/oauth';
import type { SecureStore } from '@legate/secure-store';
import { z } from 'zod';
import { orUnavailable } from './token-answers.ts';

/**
 * Seconds after which another request may try a refresh that has not finished: longer than a renewal of an ID token
 * that hangs
 */
const CLAIM_SECONDS = 30;
const WAIT_MS = 100;
const MAX_WAITS = 30;

const Kept = z.object({ clientId: z.string(), body: z.string() });

/**
 * Runs each refresh once. Programs share one refresh token among their processes, and networks lose responses, so every
 * request with the same token within the window gets the same successor. A stolen token is still detected at the next
 * rotation (RFC 9700 §4.14.2).
 * @param deps.windowSeconds 0: a repeated request gets no response
 */
export function createRefreshOnce(deps: {
  store: SecureStore;
  windowSeconds: number;
  pause: (ms: number) => Promise<unknown>;
}) {
  const { store, windowSeconds, pause } = deps;

  async function findAnswer(name: string, clientId: string): Promise<FormAnswer | undefined> {
    const [text] = await orUnavailable(store.getMany([name]));
    const kept = typeof text === 'string' ? Kept.safeParse(JSON.parse(text)).data : undefined;
    return kept?.clientId === clientId ? { status: 200, body: kept.body } : undefined;
  }

  return async (
    /** Digest of the request; only the same request gets the stored response. */
    request: string,
    clientId: string,
    refresh: () => Promise<FormAnswer>,
  ): Promise<FormAnswer> => {
    const answerName = `as:replay:${request}`;
    const claimName = `as:refreshing:${request}`;
    for (let waits = 0; waits <= MAX_WAITS; waits += 1) {
      const given = await findAnswer(answerName, clientId);
      if (given) return given;
      if (await orUnavailable(store.add(claimName, clientId, CLAIM_SECONDS))) {
        // Another process may have finished between the two steps above.
        const late = await findAnswer(answerName, clientId);
        const answer = late ?? (await refresh());
        if (!late && answer.status === 200 && windowSeconds > 0)
          await orUnavailable(
            store.set(answerName, JSON.stringify({ clientId, body: answer.body }), windowSeconds),
          );
        await store.delete(claimName).catch(() => undefined); // if this fails, the claim expires
        return answer;
      }
      await pause(WAIT_MS);
    }
    throw new OAuthError('temporarily_unavailable', 'the token is being refreshed by another request');
  };
}
