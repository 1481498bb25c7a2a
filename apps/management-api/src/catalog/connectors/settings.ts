import { encryptionKeysSetting } from '@legate/secure-store';
import type { z } from 'zod';

export const connectorsEnvironment = {
  CONNECTOR_ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta({
    description:
      'Keys of connector secrets, as `id:base64` of 32 bytes each, separated by commas. The first key encrypts, all of them decrypt. Required in production.',
    when: 'Operators in production, and again at each rotation.',
    secret: true,
  }),
};

export type ConnectorsSettings = Readonly<z.output<z.ZodObject<typeof connectorsEnvironment>>>;
