/** Milliseconds at most, before jitter is taken off */
const BASE_MS = 200;

/** A request of a user waits no longer than this for a peer that asks for patience; then the caller is told to wait. */
export const MAX_PATIENCE_SECONDS = 2;

/** Waits before a second attempt: as long as the peer wants, and some more. */
export type Pause = (retryAfterSeconds?: number) => Promise<void>;

/**
 * Full jitter: whatever failed for many at once is not tried again by all of them at once.
 * @param deps.random from 0 to below 1
 * @param deps.wait milliseconds
 */
export function createPause(deps: { random: () => number; wait: (ms: number) => Promise<unknown> }): Pause {
  return async (retryAfterSeconds = 0) => {
    await deps.wait(retryAfterSeconds * 1000 + deps.random() * BASE_MS);
  };
}
