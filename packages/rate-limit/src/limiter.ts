import type { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

export const WINDOW_SECONDS = 60;
/** After a failure Redis is left alone for this long, or every request would wait for its time-out. */
const BREAK_MS = 5000;

/** Where a key stands in its window after a request was counted. */
export interface Usage {
  /** Requests allowed in a window */
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds at which the window ends */
  readonly resetAt: number;
  /** The same, in seconds from now; at least 1 */
  readonly resetAfterSeconds: number;
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /**
   * Counts one request, also when it is one too many.
   * @param limit read anew with every request, so that a change of plan takes effect in the running window
   */
  consume(key: string, limit: number): Promise<Usage>;
}

/**
 * Fixed windows of 60 seconds, each starting with the key's first request (docs/adr/0007). Without Redis, or while it
 * fails, each process counts for itself and allows its share of the limit: neither open nor closed.
 * @param options.redis must fail fast: no offline queue, a short command time-out
 * @param options.instanceCount processes that share the limit while Redis fails. Default 1
 * @param options.onDegraded called for each failure of Redis that is noticed
 */
export function createRateLimiter(options: {
  redis?: Redis | undefined;
  clock: () => Date;
  instanceCount?: number;
  onDegraded?: (err: unknown) => void;
}): RateLimiter {
  const { redis, clock, onDegraded } = options;
  const instanceCount = options.instanceCount ?? 1;
  // The library's own `points` would be one limit for all keys; ours is given per request, so it only counts.
  const counting = { points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS, keyPrefix: 'rl' };
  const shared = redis && new RateLimiterRedis({ ...counting, storeClient: redis });
  const local = new RateLimiterMemory(counting);
  let retryAt = Number.NEGATIVE_INFINITY;

  async function count(limiter: RateLimiterAbstract, key: string, limit: number): Promise<Usage> {
    const { consumedPoints, msBeforeNext } = await limiter.consume(key);
    return {
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetAt: Math.ceil((clock().getTime() + msBeforeNext) / 1000),
      resetAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      exceeded: consumedPoints > limit,
    };
  }

  return {
    async consume(key, limit) {
      if (!shared) return count(local, key, limit);
      if (clock().getTime() >= retryAt) {
        try {
          return await count(shared, key, limit);
        } catch (err) {
          retryAt = clock().getTime() + BREAK_MS;
          onDegraded?.(err);
        }
      }
      return count(local, key, Math.max(1, Math.floor(limit / instanceCount)));
    },
  };
}
