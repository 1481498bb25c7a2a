import { createHmac, randomBytes } from 'node:crypto';

/**
 * Proves to oidc-provider that this service has authenticated a client: a secret that exists only in this process and
 * is unknown to every client. So clients are authenticated in one place, and the library never gets a client's own
 * secret.
 */
export type HandoverSecret = (clientId: string) => string;

export function createHandoverSecret(): HandoverSecret {
  const key = randomBytes(32);
  return (clientId) => createHmac('sha256', key).update(clientId).digest('base64url');
}
