import type { Backend } from './backend.ts';
import { type EncryptionKeys, open, seal } from './envelope.ts';

/** Text under names, readable by this service only. */
export interface SecureStore {
  /** @throws {UnreadableEntry} for an entry that was altered, moved, or sealed with a key that is gone */
  get(name: string): Promise<string | undefined>;
  /** @param ttlSeconds whole seconds, greater than zero */
  set(name: string, plaintext: string, ttlSeconds: number): Promise<void>;
  /** @returns false when there was nothing */
  delete(name: string): Promise<boolean>;
}

/**
 * An encrypted key-value store. Names are stored in the clear, so they must hold no secret. An entry that was sealed with
 * an older key is sealed anew with the active one when it is read.
 */
export function createSecureStore(deps: { backend: Backend; keys: EncryptionKeys }): SecureStore {
  const { backend, keys } = deps;
  return {
    async get(name) {
      const sealed = await backend.get(name);
      if (!sealed) return undefined;
      const { plaintext, keyId } = open(keys, name, sealed);
      if (keyId !== keys.activeId) {
        // A write that fails must not fail the read: the next one tries again.
        await backend.replace(name, sealed, seal(keys, name, plaintext)).catch(() => undefined);
      }
      return plaintext;
    },
    set: (name, plaintext, ttlSeconds) => backend.set(name, seal(keys, name, plaintext), ttlSeconds),
    delete: (name) => backend.delete(name),
  };
}
