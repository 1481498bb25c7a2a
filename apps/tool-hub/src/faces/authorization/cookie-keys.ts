import { hkdfSync } from 'node:crypto';
import type { EncryptionKeys } from '@legate/secure-store';

/** Returns the keys of cookies. The first signs, all of them verify, as with what is encrypted by them. */
export const cookieKeysOf = ({ activeId, byId }: EncryptionKeys): string[] =>
  [...byId]
    .sort(([one], [other]) => Number(other === activeId) - Number(one === activeId))
    .map(([, key]) =>
      Buffer.from(hkdfSync('sha256', key, '', 'legate authorization cookies', 32)).toString('base64url'),
    );
