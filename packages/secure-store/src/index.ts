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
export { connectRedis, createRedisBackend } from './redis-backend.ts';
export { createSecureStore, type SecureStore } from './secure-store.ts';
