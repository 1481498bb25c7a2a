import { hash, randomBytes } from 'node:crypto';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { z } from 'zod';

/** Values for one use each, stored under a secret that only its user gets. */
export interface OneTime<Value> {
  /** @returns the secret: 256 bits, base64url */
  issue(value: Value): Promise<string>;
  /** Returns the value without using it up; undefined if it was never issued, is used up, or has expired. */
  find(secret: string): Promise<Value | undefined>;
  /** The storage name of a secret's value, which allows reading it but not using it. */
  referenceTo(secret: string): string;
  findBy(reference: string): Promise<Value | undefined>;
  /** Returns the value and uses it up. Of several concurrent callers exactly one gets it. */
  take(secret: string): Promise<Value | undefined>;
}

/** Format of what `issue` returns. A secret in any other format is not looked up. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Creates the store of values. They are encrypted, and named by a hash: access to the store reveals neither secret nor
 * value.
 * @param options.prefix of the names in the store, such as `connect-ticket:`
 */
export function createOneTime<Schema extends z.ZodType>(options: {
  store: SecureStore;
  prefix: string;
  schema: Schema;
  ttlSeconds: number;
}): OneTime<z.output<Schema>> {
  const { store, schema } = options;
  const nameOf = (secret: string) => `${options.prefix}${hash('sha256', secret, 'base64url')}`;

  async function findBy(name: string): Promise<z.output<Schema> | undefined> {
    const text = await store.get(name).catch((err: unknown) => {
      if (err instanceof UnreadableEntry) return undefined;
      throw err;
    });
    if (text === undefined) return undefined;
    return schema.safeParse(JSON.parse(text)).data;
  }

  const find: OneTime<z.output<Schema>>['find'] = async (secret) =>
    SECRET.test(secret) ? findBy(nameOf(secret)) : undefined;

  return {
    async issue(value) {
      const secret = randomBytes(32).toString('base64url');
      await store.set(nameOf(secret), JSON.stringify(value), options.ttlSeconds);
      return secret;
    },
    find,
    referenceTo: nameOf,
    findBy,
    async take(secret) {
      const value = await find(secret);
      return value !== undefined && (await store.delete(nameOf(secret))) ? value : undefined;
    },
  };
}
