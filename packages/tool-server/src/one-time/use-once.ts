import { oneTimeKey } from '@legate/jwt';
import { OAuthError } from '@legate/oauth';
import { messageOf } from '../http/causes.ts';
import type { OneTimeStore } from './one-time-store.ts';

/**
 * Returns true for the first use of an identifier within `ttlSeconds`, false for every later one. Its parts are
 * untrusted.
 */
export type UseOnce = (parts: readonly string[], ttlSeconds: number) => Promise<boolean>;

/**
 * Uses a store with hashed keys. While the store fails, it is unknown whether an assertion was used before, so none is
 * accepted, and none is refused as invalid.
 * @throws {OAuthError} from the returned function: `temporarily_unavailable`
 */
export const failClosed =
  (store: OneTimeStore): UseOnce =>
  async (parts, ttlSeconds) => {
    try {
      return await store.useOnce(oneTimeKey(parts), ttlSeconds);
    } catch (cause) {
      const reason = `the replay store cannot be used: ${messageOf(cause)}`;
      throw new OAuthError('temporarily_unavailable', reason, { cause });
    }
  };
