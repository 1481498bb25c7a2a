import { clientNetwork } from './client-address.ts';
import type { RateLimiter } from './limiter.ts';

/** Failed authentications per minute and client network. */
const DEFAULT_FAILURES_PER_MINUTE = 120;
/** A flood from many networks must not grow the list without limit; the oldest are dropped first. */
const MAX_BLOCKED = 10_000;
/** Tries of all blocked networks together, per second and process: 200 signature checks take some 30 ms. */
const TRIES_PER_SECOND = 200;

export type FailureLimiter = ReturnType<typeof createFailureLimiter>;

/**
 * Stops a client that keeps failing to authenticate before its tokens cost another signature check. Successes are not
 * counted: an office behind one address is not one client. Failures are counted in the shared limiter; the block is
 * kept in each process and sets in with its next failure there.
 * @param options.keyPrefix separates failures at different entrances. Default `ip`
 * @param options.triesPerSecond requests with unknown credentials that a blocked network may still make each second, so
 *   that new tokens of others behind the same address get through. Default 0: none, for secrets that could be guessed
 */
export function createFailureLimiter(options: {
  limiter: RateLimiter;
  clock: () => Date;
  failuresPerMinute?: number;
  keyPrefix?: string;
  triesPerSecond?: number;
}) {
  const { keyPrefix = 'ip', triesPerSecond = 0 } = options;
  const limit = options.failuresPerMinute ?? DEFAULT_FAILURES_PER_MINUTE;
  const now = () => options.clock().getTime();
  /** Client network → epoch milliseconds at which its window ends */
  const blockedUntil = new Map<string, number>();
  /** Tries in the running second, by client network and in all */
  let tries = { second: 0, of: new Map<string, number>(), total: 0 };

  function takeTry(network: string): boolean {
    const second = Math.floor(now() / 1000);
    if (tries.second !== second) tries = { second, of: new Map(), total: 0 };
    const taken = tries.of.get(network) ?? 0;
    if (taken >= triesPerSecond || tries.total >= TRIES_PER_SECOND) return false;
    tries.of.set(network, taken + 1);
    tries.total += 1;
    return true;
  }

  return {
    /**
     * Call once per request: refusals are counted. Works in memory, so it costs good requests nothing.
     * @param isKnown only called for a blocked network: returns true for a request whose credentials were verified
     *   before, which passes
     * @returns seconds until this client may try again, or 0
     */
    blockedSeconds(address: string | undefined, isKnown?: () => boolean): number {
      if (blockedUntil.size === 0) return 0;
      const network = clientNetwork(address);
      const remainingMs = (blockedUntil.get(network) ?? 0) - now();
      if (remainingMs > 0) {
        if (isKnown?.() || takeTry(network)) return 0;
        options.limiter.refusedUnasked?.();
        return Math.ceil(remainingMs / 1000);
      }
      blockedUntil.delete(network);
      return 0;
    },
    /** Counts a failed authentication. */
    async recordFailure(address: string | undefined): Promise<void> {
      const network = clientNetwork(address);
      const usage = await options.limiter.consume(`${keyPrefix}:${network}`, limit);
      if (usage.remaining > 0) return;
      const [oldest] = blockedUntil.keys();
      if (oldest !== undefined && blockedUntil.size >= MAX_BLOCKED) blockedUntil.delete(oldest);
      blockedUntil.set(network, now() + usage.resetAfterSeconds * 1000);
    },
  };
}
