import type { RedisClient } from '@legate/secure-store';
import type { z } from 'zod';

/** Stores documents of one kind by id. */
export interface Documents<T> {
  find(id: string): Promise<T | undefined>;
  list(): Promise<T[]>;
  /** Stores the document only if the id is free, in one atomic step. @returns false if the id is taken */
  add(id: string, document: T): Promise<boolean>;
  put(id: string, document: T): Promise<void>;
  /** @returns false if there was no document */
  remove(id: string): Promise<boolean>;
}

/** Opens the documents named `name`; the schema parses each document when it is read. */
export type OpenDocuments = <T>(name: string, schema: z.ZodType<T>) => Documents<T>;

/**
 * Stores documents in the memory of this process, in insertion order, and as text, so that no caller can modify a
 * document through a reference.
 */
export function createMemoryDocuments(): OpenDocuments {
  const byName = new Map<string, Map<string, string>>();
  return <T>(name: string, schema: z.ZodType<T>): Documents<T> => {
    const texts = byName.get(name) ?? new Map<string, string>();
    byName.set(name, texts);
    const parse = (text: string): T => schema.parse(JSON.parse(text));
    return {
      async find(id) {
        const text = texts.get(id);
        return text === undefined ? undefined : parse(text);
      },
      list: async () => [...texts.values()].map(parse),
      async add(id, document) {
        if (texts.has(id)) return false;
        texts.set(id, JSON.stringify(document));
        return true;
      },
      async put(id, document) {
        texts.set(id, JSON.stringify(document));
      },
      remove: async (id) => texts.delete(id),
    };
  };
}

/** Stores documents in Redis for all replicas. Each kind is one hash, so that on a cluster each kind is on one node. */
export function createRedisDocuments(redis: RedisClient): OpenDocuments {
  return <T>(name: string, schema: z.ZodType<T>): Documents<T> => {
    const key = `directory:${name}`;
    const parse = (text: string): T => schema.parse(JSON.parse(text));
    return {
      async find(id) {
        const text = await redis.hget(key, id);
        return text === null ? undefined : parse(text);
      },
      list: async () => (await redis.hvals(key)).map(parse),
      add: async (id, document) => (await redis.hsetnx(key, id, JSON.stringify(document))) === 1,
      async put(id, document) {
        await redis.hset(key, id, JSON.stringify(document));
      },
      remove: async (id) => (await redis.hdel(key, id)) === 1,
    };
  };
}
