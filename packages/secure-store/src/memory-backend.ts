import { type Backend, checkTtl } from './backend.ts';

/** Number of writes after which expired entries are removed. */
const SWEEP_EVERY = 1000;

/** Keeps entries in the memory of this process only. Expiry follows the injected clock. */
export function createMemoryBackend(options: { clock: () => Date }): Backend {
  const entries = new Map<string, { value: Buffer; expiresAtMs: number }>();
  let writes = 0;

  function find(key: string) {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAtMs > options.clock().getTime()) return entry;
    entries.delete(key);
    return undefined;
  }

  function put(key: string, value: Buffer, ttlSeconds: number): void {
    checkTtl(ttlSeconds);
    const nowMs = options.clock().getTime();
    writes += 1;
    if (writes % SWEEP_EVERY === 0) {
      for (const [name, { expiresAtMs }] of entries) if (expiresAtMs <= nowMs) entries.delete(name);
    }
    entries.set(key, { value, expiresAtMs: nowMs + ttlSeconds * 1000 });
  }

  return {
    get: async (key) => find(key)?.value,
    getMany: async (keys) => keys.map((key) => find(key)?.value),
    set: async (key, value, ttlSeconds) => put(key, value, ttlSeconds),
    async add(key, value, ttlSeconds) {
      if (find(key)) return false;
      put(key, value, ttlSeconds);
      return true;
    },
    async replace(key, expected, value, ttlSeconds) {
      const entry = find(key);
      if (!entry?.value.equals(expected)) return false;
      if (value && ttlSeconds !== undefined) put(key, value, ttlSeconds);
      else if (value) entry.value = value;
      else entries.delete(key);
      return true;
    },
    async delete(key) {
      const existed = find(key) !== undefined;
      entries.delete(key);
      return existed;
    },
    ping: async () => {},
  };
}
