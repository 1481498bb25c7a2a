import { type EncryptionKeys, open, seal, UnreadableEntry } from '@legate/secure-store';

/**
 * Encrypts the events of one stream. An event is bound to its stream, and to the plain-text organization stored with
 * it, if any: moved or relabelled, it cannot be decrypted.
 */
export function createEventSeal(keys: EncryptionKeys, stream: string) {
  const nameOf = (organizationId: string): string => `${stream} ${organizationId}`;
  return {
    seal: (organizationId: string, json: string): Buffer => seal(keys, nameOf(organizationId), json),
    /**
     * @returns undefined if it cannot be decrypted: it was encrypted with another key, belongs to another place, or was
     * altered
     */
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
