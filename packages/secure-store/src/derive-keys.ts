import { hkdfSync } from 'node:crypto';
import type { EncryptionKeys } from './envelope.ts';

/**
 * Derives keys for a purpose other than encryption, one from each encryption key. The first one signs, all of them
 * verify, so that they are rotated together with the keys that they come from.
 */
export function deriveKeys(keys: EncryptionKeys, purpose: string): [string, ...string[]] {
  const { activeId, byId } = keys;
  const derive = (key: Buffer): string =>
    Buffer.from(hkdfSync('sha256', key, '', purpose, 32)).toString('base64url');
  const active = byId.get(activeId);
  if (!active) throw new Error('the active key is missing');
  const others = [...byId].filter(([id]) => id !== activeId);
  return [derive(active), ...others.map(([, key]) => derive(key))];
}
