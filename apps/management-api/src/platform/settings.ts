import { redisEnvironment, redisKeyPrefix } from '@legate/secure-store';
import { identifierUrl, issuerUrl, port, SHARED_SETTINGS, serviceEnvironment } from '@legate/service';
import type { z } from 'zod';

/** Settings of the process and its store, and the identifiers of the API and the identity provider */
export const platformEnvironment = {
  ...serviceEnvironment,
  PORT: port.default(4000).meta(SHARED_SETTINGS.PORT),
  RESOURCE: identifierUrl.default('http://localhost:4000').meta(SHARED_SETTINGS.RESOURCE),
  IDP_ISSUER: issuerUrl.default('http://localhost:4002').meta(SHARED_SETTINGS.IDP_ISSUER),
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix(''),
};

export type PlatformSettings = Readonly<z.output<z.ZodObject<typeof platformEnvironment>>>;
