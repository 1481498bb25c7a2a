import type { Backend } from './backend.ts';
import { type EncryptionKeys, open, rememberDerivedKeys, seal, UnreadableEntry } from './envelope.ts';
import { rememberOpened } from './opened-entries.ts';

/** Text under names, readable by this service only. */
export interface SecureStore {
  /** @throws {UnreadableEntry} for an entry that was altered, moved, or sealed with a key that is gone */
  get(name: string): Promise<string | undefined>;
  /**
   * One round trip, see {@link Backend.getMany}: an unreadable entry yields its error and does not affect the others.
   */
  getMany(names: readonly string[]): Promise<readonly (string | undefined | UnreadableEntry)[]>;
  /** @param ttlSeconds whole seconds, greater than zero */
  set(name: string, plaintext: string, ttlSeconds: number): Promise<void>;
  /** Stores a text only if the name has none, in one atomic step. @returns false if there was one */
  add(name: string, plaintext: string, ttlSeconds: number): Promise<boolean>;
  /**
   * Replaces a text that is still `expected`, or removes it; in one atomic step.
   * @param ttlSeconds a new time to live; undefined: the entry keeps its own
   * @returns false when there is another text, or none: then nothing happened
   * @throws {UnreadableEntry}
   */
  replace(
    name: string,
    expected: string,
    plaintext: string | undefined,
    ttlSeconds?: number,
  ): Promise<boolean>;
  /** @returns false if there was no text */
  delete(name: string): Promise<boolean>;
}

/** Number of cached keys; each needs 32 bytes, plus the overhead of the cache */
const MAX_DERIVED_KEYS = 10_000;

/**
 * An encrypted key-value store. Names are stored unencrypted, so they must not contain a secret. Reading an entry that
 * was encrypted with an older key re-encrypts it with the active one.
 */
export function createSecureStore(deps: { backend: Backend; keys: EncryptionKeys }): SecureStore {
  const { backend, keys } = deps;
  const derive = rememberDerivedKeys(MAX_DERIVED_KEYS);
  const opened = rememberOpened();

  /**
   * @param resealed collects promises that the caller must await: otherwise the write could overtake the caller's next
   * one
   */
  function read(name: string, sealed: Buffer | undefined, resealed: Promise<unknown>[]): string | undefined {
    if (!sealed) return undefined;
    const remembered = opened.find(name, sealed);
    if (remembered !== undefined) return remembered;
    const { plaintext, keyId } = open(keys, name, sealed, derive);
    if (keyId === keys.activeId) opened.keep(name, sealed, plaintext);
    else {
      // A write that fails must not fail the read: the next one tries again.
      resealed.push(backend.replace(name, sealed, seal(keys, name, plaintext)).catch(() => undefined));
    }
    return plaintext;
  }

  return {
    async get(name) {
      const resealed: Promise<unknown>[] = [];
      const plaintext = read(name, await backend.get(name), resealed);
      if (resealed.length > 0) await Promise.all(resealed);
      return plaintext;
    },
    async getMany(names) {
      const entries = await backend.getMany(names);
      const resealed: Promise<unknown>[] = [];
      // A promise for each entry would cost more than most entries, which are absent.
      const texts = names.map((name, index) => {
        try {
          return read(name, entries[index], resealed);
        } catch (err) {
          if (err instanceof UnreadableEntry) return err;
          throw err;
        }
      });
      if (resealed.length > 0) await Promise.all(resealed);
      return texts;
    },
    set: (name, plaintext, ttlSeconds) => backend.set(name, seal(keys, name, plaintext), ttlSeconds),
    add: (name, plaintext, ttlSeconds) => backend.add(name, seal(keys, name, plaintext), ttlSeconds),
    async replace(name, expected, plaintext, ttlSeconds) {
      for (;;) {
        const sealed = await backend.get(name);
        if (!sealed) return false;
        const current = opened.find(name, sealed) ?? open(keys, name, sealed, derive).plaintext;
        if (current !== expected) return false;
        const next = plaintext === undefined ? undefined : seal(keys, name, plaintext);
        // The same text may have been re-encrypted with another key meanwhile: then it is read again.
        if (await backend.replace(name, sealed, next, ttlSeconds)) return true;
      }
    },
    delete: (name) => backend.delete(name),
  };
}
