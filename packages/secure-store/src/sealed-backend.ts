import type { Backend } from './backend.ts';
import type { UnreadableEntry } from './envelope.ts';
import type { SecureStore } from './secure-store.ts';

/**
 * An encrypted store as a backend, for a library that keeps its state in one. An entry that cannot be read is absent.
 * @param backend that of the store, for `ping`
 */
export function sealedBackend(store: SecureStore, backend: Pick<Backend, 'ping'>): Backend {
  const bytesOf = (text: string | undefined | UnreadableEntry) =>
    typeof text === 'string' ? Buffer.from(text) : undefined;
  return {
    get: async (key) => bytesOf((await store.getMany([key]))[0]),
    getMany: async (keys) => (await store.getMany(keys)).map(bytesOf),
    set: (key, value, ttlSeconds) => store.set(key, value.toString(), ttlSeconds),
    add: (key, value, ttlSeconds) => store.add(key, value.toString(), ttlSeconds),
    replace: (key, expected, value, ttlSeconds) =>
      store.replace(key, expected.toString(), value?.toString(), ttlSeconds),
    delete: (key) => store.delete(key),
    ping: () => backend.ping(),
  };
}
