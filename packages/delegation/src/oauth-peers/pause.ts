/** Milliseconds at most, before jitter is taken off */
const BASE_MS = 200;

/** The longest that a user's request waits for a peer's `Retry-After`; for a longer one the caller is told to wait. */
export const MAX_PATIENCE_SECONDS = 2;

/** Waits before a retry: as long as the peer asks, plus jitter. */
export type Pause = (retryAfterSeconds?: number) => Promise<void>;

/**
 * Full jitter: many requests that failed together are not retried together.
 * @param deps.random from 0 to below 1
 * @param deps.wait milliseconds
 */
export function createPause(deps: { random: () => number; wait: (ms: number) => Promise<unknown> }): Pause {
  return async (retryAfterSeconds = 0) => {
    await deps.wait(retryAfterSeconds * 1000 + deps.random() * BASE_MS);
  };
}
