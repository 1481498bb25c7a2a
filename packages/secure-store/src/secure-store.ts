import type { Backend } from './backend.ts';
import { type EncryptionKeys, open, seal, UnreadableEntry } from './envelope.ts';

/** Text under names, readable by this service only. */
export interface SecureStore {
  /** @throws {UnreadableEntry} for an entry that was altered, moved, or sealed with a key that is gone */
  get(name: string): Promise<string | undefined>;
  /** Of one moment, in one round trip: what cannot be read is its error, and does not keep the others from being read. */
  getMany(names: readonly string[]): Promise<readonly (string | undefined | UnreadableEntry)[]>;
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

  async function read(name: string, sealed: Buffer | undefined): Promise<string | undefined> {
    if (!sealed) return undefined;
    const { plaintext, keyId } = open(keys, name, sealed);
    if (keyId !== keys.activeId) {
      // A write that fails must not fail the read: the next one tries again.
      await backend.replace(name, sealed, seal(keys, name, plaintext)).catch(() => undefined);
    }
    return plaintext;
  }

  return {
    get: async (name) => read(name, await backend.get(name)),
    async getMany(names) {
      const entries = await backend.getMany(names);
      return Promise.all(
        names.map((name, index) =>
          read(name, entries[index]).catch((err: unknown) => {
            if (err instanceof UnreadableEntry) return err;
            throw err;
          }),
        ),
      );
    },
    set: (name, plaintext, ttlSeconds) => backend.set(name, seal(keys, name, plaintext), ttlSeconds),
    delete: (name) => backend.delete(name),
  };
}
