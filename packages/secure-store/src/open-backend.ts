import type { Redis } from 'ioredis';
import type { Backend } from './backend.ts';
import { createMemoryBackend } from './memory-backend.ts';
import { connectRedis, createRedisBackend, type RedisOptions } from './redis-backend.ts';

export interface OpenBackend {
  readonly backend: Backend;
  /** For what is more than entries; undefined without a URL */
  readonly redis: Redis | undefined;
  close(): void;
}

/**
 * The store of a deployment: Redis at `url`, or without one the memory of this process, which no replica shares.
 * An unreachable Redis stops no start.
 */
export async function openBackend(
  url: string | undefined,
  options: RedisOptions & { clock: () => Date },
): Promise<OpenBackend> {
  if (url === undefined)
    return { backend: createMemoryBackend(options), redis: undefined, close: () => undefined };
  const redis = await connectRedis(url, options);
  return { backend: createRedisBackend(redis), redis, close: () => redis.disconnect() };
}
