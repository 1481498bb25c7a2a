import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createLastCounts } from './last-counts.ts';
import { type Counted, createLocalWindows } from './local-windows.ts';

export const WINDOW_SECONDS = 60;
/** Time for which Redis is not used after a failure; otherwise every request would wait for its time-out. */
const BREAK_MS = 5000;

/** The state of a key's window after a request was counted. */
export interface Usage {
  /** Requests allowed in a window: the plan's limit, even while this process allows only its share of it */
  readonly limit: number;
  /** Remaining requests that this process allows. While Redis fails, this is the rest of its share */
  readonly remaining: number;
  /** Epoch seconds at which the window ends */
  readonly resetAt: number;
  /** Seconds until the window ends; at least 1 */
  readonly resetAfterSeconds: number;
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /**
   * Counts one request, even one beyond the limit.
   * @param limit passed with every request, so that a change of plan takes effect in the running window
   */
  consume(key: string, limit: number): Promise<Usage>;
  /** Returns the state of the key without counting; for a new key, a full window. */
  peek(key: string, limit: number): Promise<Usage>;
  /** Takes back the count of one request that was refused for another reason. */
  giveBack?(key: string): Promise<void>;
  /** Called for a request that is refused because of an earlier decision, without a call of `consume`. */
  refusedUnasked?(): void;
}

/**
 * Fixed windows, each starting with the key's first request (docs/adr/0007). Without Redis, or while it fails, each
 * process counts for itself, so the limiter neither allows nor refuses everything. Counts are carried over in both
 * directions.
 * @param options.redis must fail fast: no offline queue, a short command time-out
 * @param options.degradedDivisor divides the limit in each process while Redis fails. Default 1
 * @param options.windowSeconds default 60. Limiters with different windows on one Redis must not share a key
 * @param options.onDegraded called for each failure of Redis that is noticed
 */
export function createRateLimiter(options: {
  redis?: Redis | Cluster | undefined;
  clock: () => Date;
  degradedDivisor?: number;
  windowSeconds?: number;
  onDegraded?: (err: unknown) => void;
}): RateLimiter {
  const { redis, clock, onDegraded } = options;
  const degradedDivisor = options.degradedDivisor ?? 1;
  const windowSeconds = options.windowSeconds ?? WINDOW_SECONDS;
  const unstarted: Counted = { consumedPoints: 0, msBeforeNext: windowSeconds * 1000 };
  // The library's own `points` would be one limit for all keys. Our limit is passed with each request, so the library
  // only counts.
  const counting = { points: Number.MAX_SAFE_INTEGER, duration: windowSeconds, keyPrefix: 'rl' };
  // ioredis would queue a pipeline until a cluster is found, so do not send one before that.
  const shared =
    redis && new RateLimiterRedis({ ...counting, storeClient: redis, rejectIfRedisNotReady: true });
  const now = () => clock().getTime();
  const local = createLocalWindows({ now, windowSeconds });
  const counts = shared && createLastCounts({ shared, local, degradedDivisor, now });
  let retryAt = Number.NEGATIVE_INFINITY;

  /** @param allowed requests in this process, fewer than `limit` while Redis fails */
  function toUsage({ consumedPoints, msBeforeNext }: Counted, limit: number, allowed: number): Usage {
    return {
      limit,
      remaining: Math.max(0, allowed - consumedPoints),
      resetAt: Math.ceil((clock().getTime() + msBeforeNext) / 1000),
      resetAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      exceeded: consumedPoints > allowed,
    };
  }

  /** Uses the shared limiter, or while it fails, the limiter of this process. */
  async function ask(
    limit: number,
    askShared: (limiter: RateLimiterRedis) => Promise<Usage>,
    askLocal: (allowed: number) => Usage,
  ): Promise<Usage> {
    if (!shared) return askLocal(limit);
    if (now() >= retryAt) {
      try {
        return await askShared(shared);
      } catch (err) {
        retryAt = now() + BREAK_MS;
        onDegraded?.(err);
      }
    }
    return askLocal(Math.max(1, Math.floor(limit / degradedDivisor)));
  }

  /** Peeking never exceeds the limit. */
  const toStanding = (found: Counted | null | undefined, limit: number, allowed: number): Usage => {
    const started = found && found.msBeforeNext > 0 ? found : unstarted;
    return { ...toUsage(started, limit, allowed), exceeded: false };
  };

  return {
    consume(key, limit) {
      if (!counts) return Promise.resolve(toUsage(local.consume(key), limit, limit));
      return ask(
        limit,
        async () => toUsage(await counts.consumeShared(key), limit, limit),
        (allowed) => toUsage(counts.consumeAlone(key), limit, allowed),
      );
    },
    async giveBack(key) {
      if (shared && now() >= retryAt) await shared.reward(key, 1).catch(() => undefined);
      else local.giveBack(key);
    },
    peek: (key, limit) =>
      ask(
        limit,
        async (limiter) => toStanding(await limiter.get(key), limit, limit),
        (allowed) => {
          counts?.carryToLocal(key);
          return toStanding(local.find(key), limit, allowed);
        },
      ),
  };
}
