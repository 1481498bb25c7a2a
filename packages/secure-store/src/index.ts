export type { Backend } from './backend.ts';
export { connectRedis, type RedisClient, type RedisOptions } from './connect-redis.ts';
export { encryptionKeysSetting } from './encryption-keys-setting.ts';
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
export { RedisAccessRefused, RedisSettingsAtFault } from './redis-access.ts';
export { type Confirmation, createRedisBackend, NotReplicated } from './redis-backend.ts';
export {
  checkRedisEnvironment,
  type RedisSettings,
  redisEnvironment,
  redisKeyPrefix,
  redisSettingNames,
  redisSettingsOf,
} from './redis-settings.ts';
export { createSecureStore, type SecureStore } from './secure-store.ts';
