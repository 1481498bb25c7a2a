export type { Backend } from './backend.ts';
export {
  type EncryptionKeys,
  generateEncryptionKeys,
  open,
  parseEncryptionKeys,
  seal,
  UnreadableEntry,
} from './envelope.ts';
export { createMemoryBackend } from './memory-backend.ts';
export { createUseOnce, type UseOnce } from './one-time-use.ts';
export { type OpenBackend, openBackend } from './open-backend.ts';
export { connectRedis, createRedisBackend, type RedisOptions } from './redis-backend.ts';
export { createSecureStore, type SecureStore } from './secure-store.ts';
