import { hkdfSync } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';

/** Derives a key for cookies from each signing key. As with tokens, the first key signs and all of them verify. */
export const cookieKeysOf = ({ keys }: JSONWebKeySet): string[] =>
  keys.map(({ d }) => {
    if (d === undefined) throw new Error('cookie keys are derived from private keys');
    return Buffer.from(hkdfSync('sha256', d, '', 'legate mock-idp cookies', 32)).toString('base64url');
  });
