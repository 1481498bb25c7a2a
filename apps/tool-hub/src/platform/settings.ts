import { encryptionKeysSetting, redisEnvironment, redisKeyPrefix } from '@legate/secure-store';
import { identifierUrl, port, serviceEnvironment } from '@legate/service';
import type { z } from 'zod';

/** Settings that every service has, and what the hub is called */
export const platformEnvironment = {
  ...serviceEnvironment,
  PORT: port
    .default(4001)
    .meta({ description: 'Port to listen on.', when: 'Developers for whom the default port is taken.' }),
  PUBLIC_URL: identifierUrl.default('http://localhost:4001').meta({
    description:
      'URL at which applications reach the hub. It is also its resource identifier, the issuer of transaction tokens, and the base of problem types.',
    when: 'Everyone but developers on localhost.',
    example: 'https://hub.example',
  }),
};

/** Settings of stored data */
export const storeEnvironment = {
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix(''),
  ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta({
    description:
      'Keys of stored data, as `id:base64` of 32 bytes each, separated by commas. The first key encrypts, all of them decrypt. Required with `REDIS_URL`.',
    when: 'Operators in production, and again at each rotation.',
    secret: true,
  }),
};

export type PlatformSettings = Readonly<z.output<z.ZodObject<typeof platformEnvironment>>>;
export type StoreSettings = Readonly<z.output<z.ZodObject<typeof storeEnvironment>>>;
