import {
  createSecureStore,
  type EncryptionKeys,
  generateEncryptionKeys,
  type OpenBackend,
  openBackend,
  parseEncryptionKeys,
  redisSettingsOf,
  type SecureStore,
} from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { StoreSettings } from './settings.ts';

export type OpenStore = OpenBackend & {
  readonly store: SecureStore;
  readonly encryptionKeys: EncryptionKeys;
};

/** Opens the hub's encrypted storage, in Redis or in the memory of this process. */
export async function openStore(
  settings: StoreSettings,
  deps: { clock: () => Date; log: Logger },
): Promise<OpenStore> {
  const { clock, log } = deps;
  const opened = await openBackend(redisSettingsOf(settings), {
    connectionName: 'tool-hub',
    keyPrefix: settings.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  const encryptionKeys = settings.ENCRYPTION_KEYS
    ? parseEncryptionKeys(settings.ENCRYPTION_KEYS)
    : generateEncryptionKeys();
  const store = createSecureStore({ backend: opened.backend, keys: encryptionKeys });
  return { ...opened, store, encryptionKeys };
}
