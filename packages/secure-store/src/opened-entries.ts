import { LRUCache } from 'lru-cache';

/** How long a plaintext may outlive its entry in the memory of this process */
const KEPT_MS = 60_000;
/** Limit for entries and plaintexts together: enough for some thousand access tokens or sessions */
const MAX_BYTES = 16_777_216;

interface Opened {
  readonly sealed: Buffer;
  readonly plaintext: string;
}

/**
 * Caches the plaintexts of entries, so that an entry that every request reads is decrypted once a minute. The entry
 * itself is read each time and compared byte by byte: an entry that was removed, replaced or has expired is not found
 * here. docs/adr/0046
 */
export function rememberOpened(clock: { now(): number } = performance) {
  const opened = new LRUCache<string, Opened>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sealed, plaintext }) => sealed.length + plaintext.length,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: clock,
  });
  return {
    /** @returns undefined for an entry that was not opened here lately, or has changed since */
    find(name: string, sealed: Buffer): string | undefined {
      const last = opened.get(name);
      return last?.sealed.equals(sealed) ? last.plaintext : undefined;
    },
    keep(name: string, sealed: Buffer, plaintext: string): void {
      // A copy: what a client of Redis returns may be a part of a much larger buffer.
      opened.set(name, { sealed: Buffer.from(sealed), plaintext });
    },
  };
}
