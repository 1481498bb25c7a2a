/** The maximum in milliseconds, before jitter is applied */
const BASE_MS = 200;

/**
 * Seconds. The longest that a user's request waits for a peer's `Retry-After`. If it is longer, the caller is told to
 * wait.
 */
export const MAX_PATIENCE_SECONDS = 2;

/** Waits before a retry: as long as the peer asks, plus jitter. */
export type Pause = (retryAfterSeconds?: number) => Promise<void>;

/**
 * Applies full jitter, so that requests that failed together are not retried at the same time.
 * @param deps.random from 0 to below 1
 * @param deps.wait milliseconds
 */
export function createPause(deps: { random: () => number; wait: (ms: number) => Promise<unknown> }): Pause {
  return async (retryAfterSeconds = 0) => {
    await deps.wait(retryAfterSeconds * 1000 + deps.random() * BASE_MS);
  };
}
