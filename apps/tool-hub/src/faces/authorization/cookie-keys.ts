import { deriveKeys, type EncryptionKeys } from '@legate/secure-store';

/** Returns the keys of cookies. The first one signs, and all of them verify, as with encryption keys. */
export const cookieKeysOf = (keys: EncryptionKeys): string[] =>
  deriveKeys(keys, 'legate authorization cookies');
