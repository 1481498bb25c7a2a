import { type OneTimeStore, wholeSeconds } from './one-time-store.ts';

/** The only command that is needed from ioredis, a single client or a `Cluster`. */
export interface IoredisLike {
  set(key: string, value: string, ex: 'EX', seconds: number, nx: 'NX'): Promise<'OK' | null>;
}

/** The only command that is needed from node-redis, a single client or a cluster. */
export interface NodeRedisLike {
  /** Every node-redis client has its commands in upper case too, and no ioredis client does. */
  readonly SET: unknown;
  set(key: string, value: string, options: { EX: number; NX: true }): Promise<unknown>;
}

/**
 * A store in Redis, for any number of processes. A single command checks and stores (`SET key 1 EX ttl NX`).
 * @param redis a connected client of ioredis or node-redis; this package depends on neither
 * @param options.prefix of the keys; default `legate:used:`
 */
export function redisOneTimeStore(
  redis: IoredisLike | NodeRedisLike,
  options: { prefix?: string } = {},
): OneTimeStore {
  const prefix = options.prefix ?? 'legate:used:';
  return {
    async useOnce(key, ttlSeconds) {
      const seconds = wholeSeconds(ttlSeconds);
      const answer = isNodeRedis(redis)
        ? await redis.set(`${prefix}${key}`, '1', { EX: seconds, NX: true })
        : await redis.set(`${prefix}${key}`, '1', 'EX', seconds, 'NX');
      return answer === 'OK';
    },
  };
}

const isNodeRedis = (redis: IoredisLike | NodeRedisLike): redis is NodeRedisLike => 'SET' in redis;
