import { randomUUID } from 'node:crypto';
import { type Backend, connectRedis, createMemoryBackend, createRedisBackend } from '@legate/secure-store';
import { createMemoryDocuments, createRedisDocuments, type OpenDocuments } from '../directory/documents.ts';

export interface TestStores {
  readonly backend: Backend;
  readonly documents: OpenDocuments;
  /** Everything that is stored, as text; undefined if the store cannot be dumped */
  readonly dump: () => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** Stores to run the tests with: memory, and the Redis of TEST_REDIS_URL if set, with a separate key prefix. */
export const STORES: [string, () => Promise<TestStores>][] = [
  ['memory', async () => memoryStores()],
  ...(process.env.TEST_REDIS_URL
    ? [['Redis', () => redisStores(process.env.TEST_REDIS_URL ?? '')] as [string, () => Promise<TestStores>]]
    : []),
];

function memoryStores(): TestStores {
  return {
    backend: createMemoryBackend({ clock: () => new Date() }),
    documents: createMemoryDocuments(),
    dump: async () => undefined,
    close: async () => {},
  };
}

async function redisStores(url: string): Promise<TestStores> {
  const prefix = `test:${randomUUID()}:`;
  const fail = (err: Error) => {
    throw err;
  };
  const redis = await connectRedis(url, { keyPrefix: prefix, commandTimeoutMs: 5000, onError: fail });
  const bare = await connectRedis(url, { commandTimeoutMs: 5000, onError: fail });
  const keys = () => bare.keys(`${prefix}*`);
  return {
    backend: createRedisBackend(redis),
    documents: createRedisDocuments(redis),
    async dump() {
      const parts: string[] = [];
      for (const key of await keys()) {
        const type = await bare.type(key);
        const value = type === 'hash' ? await bare.hgetall(key) : await bare.get(key);
        parts.push(key, JSON.stringify(value));
      }
      return parts.join('\n');
    },
    async close() {
      const left = await keys();
      if (left.length > 0) await bare.del(...left);
      redis.disconnect();
      bare.disconnect();
    },
  };
}
