export type { Backend } from './backend.ts';
export { connectRedis, isCluster, type RedisClient, type RedisOptions } from './connect-redis.ts';
export { deriveKeys } from './derive-keys.ts';
export * from './encryption-keys-setting.ts';
export {
  type EncryptionKeys,
  generateEncryptionKeys,
  open,
  parseEncryptionKeys,
  seal,
  UnreadableEntry,
} from './envelope.ts';
export * from './memory-backend.ts';
export * from './one-time-use.ts';
export * from './open-backend.ts';
export { RedisAccessRefused, RedisSettingsAtFault } from './redis-access.ts';
export * from './redis-backend.ts';
export * from './redis-settings.ts';
export * from './sealed-backend.ts';
export * from './secure-store.ts';
