import { encryptionKeysSetting, redisEnvironment, redisKeyPrefix } from '@legate/secure-store';
import { identifierUrl, port, SHARED_SETTINGS, serviceEnvironment } from '@legate/service';
import type { z } from 'zod';

/** Settings that every service has, and the hub's name */
export const platformEnvironment = {
  ...serviceEnvironment,
  PORT: port.default(4001).meta(SHARED_SETTINGS.PORT),
  PUBLIC_URL: identifierUrl.default('http://localhost:4001').meta(SHARED_SETTINGS.PUBLIC_URL),
};

/** Settings of stored data */
export const storeEnvironment = {
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix(''),
  ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta(SHARED_SETTINGS.ENCRYPTION_KEYS),
};

export type PlatformSettings = Readonly<z.output<z.ZodObject<typeof platformEnvironment>>>;
export type StoreSettings = Readonly<z.output<z.ZodObject<typeof storeEnvironment>>>;
