import { clientNetwork } from './client-address.ts';
import type { RateLimiter } from './limiter.ts';

/** Failed authentications per minute and client network. */
const DEFAULT_FAILURES_PER_MINUTE = 120;
/** A flood from many networks must not grow the list without end; the oldest are forgotten first. */
const MAX_BLOCKED = 10_000;

export interface FailureLimiter {
  /**
   * Asked once for each request, and what it refuses is counted. Asks nobody, so it costs good requests nothing.
   * @returns seconds until this client may try again, or 0
   */
  blockedSeconds(address: string | undefined): number;
  /** Counts a failed authentication. */
  recordFailure(address: string | undefined): Promise<void>;
}

/**
 * Stops a client that keeps failing to authenticate before its tokens cost another signature check. Successes are not
 * counted: an office behind one address is not one client. Failures are counted in the shared limiter; the block is
 * kept in each process and sets in with its next failure there.
 */
export function createFailureLimiter(options: {
  limiter: RateLimiter;
  clock: () => Date;
  failuresPerMinute?: number;
}): FailureLimiter {
  const limit = options.failuresPerMinute ?? DEFAULT_FAILURES_PER_MINUTE;
  const now = () => options.clock().getTime();
  /** Client network → epoch milliseconds at which its window ends */
  const blockedUntil = new Map<string, number>();

  return {
    blockedSeconds(address) {
      if (blockedUntil.size === 0) return 0;
      const network = clientNetwork(address);
      const remainingMs = (blockedUntil.get(network) ?? 0) - now();
      if (remainingMs > 0) {
        options.limiter.refusedUnasked?.();
        return Math.ceil(remainingMs / 1000);
      }
      blockedUntil.delete(network);
      return 0;
    },
    async recordFailure(address) {
      const network = clientNetwork(address);
      const usage = await options.limiter.consume(`ip:${network}`, limit);
      if (usage.remaining > 0) return;
      const [oldest] = blockedUntil.keys();
      if (oldest !== undefined && blockedUntil.size >= MAX_BLOCKED) blockedUntil.delete(oldest);
      blockedUntil.set(network, now() + usage.resetAfterSeconds * 1000);
    },
  };
}
