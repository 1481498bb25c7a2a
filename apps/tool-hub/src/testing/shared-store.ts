import { randomUUID } from 'node:crypto';
import { type Backend, createMemoryBackend, openBackend } from '@legate/secure-store';
import { START } from '@legate/service/testing';
import type { Redis } from 'ioredis';

/** The state that two processes of one deployment share. */
export interface SharedStore {
  readonly keyPrefix: string;
  backendOf(process: 0 | 1): Backend;
  /** Undefined: the state is in the memory of this process. */
  redisOf(process: 0 | 1): Redis | undefined;
  /** Closes the store, and deletes its entries. */
  close(): Promise<void>;
}

/** Opens Redis if a test server is configured, with a connection for each process; otherwise one store in memory. */
export async function openSharedStore(): Promise<SharedStore> {
  const keyPrefix = `test-${randomUUID()}:`;
  const options = {
    keyPrefix,
    clock: () => new Date(),
    commandTimeoutMs: 5000, // a timeout on a machine that is busy with other tests is not an outage
    onError(err: Error) {
      throw err;
    },
  };
  const url = process.env.TEST_REDIS_URL || undefined;
  const opened = url === undefined ? [] : await Promise.all([0, 1].map(() => openBackend(url, options)));
  const memory = createMemoryBackend({ clock: () => START });
  return {
    keyPrefix,
    backendOf: (index) => opened[index]?.backend ?? memory,
    redisOf: (index) => opened[index]?.redis,
    async close() {
      const redis = opened[0]?.redis;
      const keys = (await redis?.keys(`${keyPrefix}*`)) ?? [];
      await Promise.all(keys.map((key) => redis?.del(key.slice(keyPrefix.length))));
      for (const each of opened) each.close();
    },
  };
}
