import { Redis } from 'ioredis';
import { type Backend, checkTtl } from './backend.ts';

/** KEYS[1] key, ARGV[1] the expected value, ARGV[2] the new one, if there is to be one. */
const REPLACE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') else redis.call('DEL', KEYS[1]) end
return 1`;

export interface RedisOptions {
  /** In front of every key */
  readonly keyPrefix?: string;
  /** Default 250 */
  readonly commandTimeoutMs?: number;
  /** Called for each connection error */
  readonly onError: (err: Error) => void;
}

/**
 * Connects, or starts to: an unreachable Redis is retried in the background and never stops a service from starting.
 * Commands fail fast (no queue while disconnected, a time limit each), so that nothing hangs with Redis.
 */
export async function connectRedis(url: string, options: RedisOptions): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A command whose answer was lost may have had its effect: sent again it would count, or be used, twice.
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1000,
    // A peer that is gone without a word, as after a failover: TCP alone would take a quarter of an hour to notice.
    socketTimeout: 2000,
    disconnectTimeout: 250,
    commandTimeout: options.commandTimeoutMs ?? 250,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
    ...(options.keyPrefix !== undefined && { keyPrefix: options.keyPrefix }),
  });
  redis.on('error', options.onError);
  // The rejection says no more than the `error` event did; the client goes on trying by itself.
  await redis.connect().catch(() => undefined);
  return redis;
}

/** One key per command, so that Redis Cluster can serve it; but for `getMany`, whose keys must be on one node. */
export function createRedisBackend(redis: Redis): Backend {
  return {
    get: async (key) => (await redis.getBuffer(key)) ?? undefined,
    getMany: async (keys) => (await redis.mgetBuffer([...keys])).map((value) => value ?? undefined),
    async set(key, value, ttlSeconds) {
      checkTtl(ttlSeconds);
      await redis.set(key, value, 'EX', ttlSeconds);
    },
    async add(key, value, ttlSeconds) {
      checkTtl(ttlSeconds);
      return (await redis.set(key, value, 'EX', ttlSeconds, 'NX')) === 'OK';
    },
    async replace(key, expected, value) {
      return (await redis.eval(REPLACE, 1, key, expected, ...(value ? [value] : []))) === 1;
    },
    delete: async (key) => (await redis.del(key)) === 1,
    async ping() {
      await redis.ping();
    },
  };
}
