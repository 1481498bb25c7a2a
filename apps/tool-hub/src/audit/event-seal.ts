import { type EncryptionKeys, open, seal, UnreadableEntry } from '@legate/secure-store';

/**
 * Encrypts the events of one stream. An event is bound to the stream, and to the plain-text organization next to it, if
 * any: if moved or relabelled, it cannot be decrypted.
 */
export function createEventSeal(keys: EncryptionKeys, stream: string) {
  const nameOf = (organizationId: string): string => `${stream} ${organizationId}`;
  return {
    seal: (organizationId: string, json: string): Buffer => seal(keys, nameOf(organizationId), json),
    /** @returns undefined if it cannot be decrypted: encrypted with another key or for another place, or altered */
    open(organizationId: string, sealed: Buffer): string | undefined {
      try {
        return open(keys, nameOf(organizationId), sealed).plaintext;
      } catch (err) {
        if (err instanceof UnreadableEntry) return undefined;
        throw err;
      }
    },
  };
}
