import { createHmac } from 'node:crypto';
import type { ConnectorId, OrganizationId } from '@legate/ids';
import { type EncryptionKeys, open, seal } from '@legate/secure-store';
import { problem } from '../../domain/problem-codes.ts';

export type SecretCipher = ReturnType<typeof createSecretCipher>;

export interface SecretPlace {
  readonly organizationId: OrganizationId;
  readonly connectorId: ConnectorId;
  /** Absent: the secret of the connector's own method */
  readonly of?: 'fallback' | undefined;
}

/**
 * Encrypts connector secrets for storage: AES-256-GCM under keys that are never in the database.
 * @param keys without keys, no secret is stored, not even unencrypted
 */
export function createSecretCipher(keys: EncryptionKeys | undefined) {
  const given = (): EncryptionKeys => {
    if (keys) return keys;
    throw problem('secrets_unavailable', { detail: 'This deployment has no encryption keys for secrets.' });
  };
  return {
    /** @throws {Problem} 503 `secrets_unavailable` */
    seal: (place: SecretPlace, secret: string): Buffer => seal(given(), nameOf(place), secret),
    /**
     * @returns stale: encrypted with a key that is not the active one
     * @throws {UnreadableEntry} the secret was altered, moved to another connector or organization, or
     * encrypted with a key that was removed
     */
    open(place: SecretPlace, sealed: Buffer) {
      const { activeId } = given();
      const { plaintext, keyId } = open(given(), nameOf(place), sealed);
      return { secret: plaintext, stale: keyId !== activeId };
    },
    /**
     * Returns a digest with which secrets are compared without revealing them: a plain hash of a weak secret
     * can be guessed.
     */
    fingerprint(secret: string): string {
      const { byId, activeId } = given();
      return createHmac('sha256', byId.get(activeId) ?? '')
        .update(`connector-secret-fingerprint:${secret}`)
        .digest('base64url');
    },
  };
}

/** Additional authenticated data. No id contains a colon, so each combination is unique. */
const nameOf = ({ organizationId, connectorId, of }: SecretPlace): string =>
  `connector-${of === 'fallback' ? 'fallback-' : ''}secret:${organizationId}:${connectorId}`;
