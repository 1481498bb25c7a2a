import { deriveKeys, type EncryptionKeys } from '@legate/secure-store';

/** Returns the keys of cookies. The first signs, all of them verify, as with what is encrypted by them. */
export const cookieKeysOf = (keys: EncryptionKeys): string[] =>
  deriveKeys(keys, 'legate authorization cookies');
