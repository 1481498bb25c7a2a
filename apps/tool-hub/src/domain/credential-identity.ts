import type { Credential } from '@legate/delegation';

/**
 * Returns the secret of a credential, to be compared or hashed and never stored. For a certificate it returns nothing,
 * because the certificate belongs to the connector's settings.
 */
export function identityOf(credential: Credential): string {
  switch (credential.kind) {
    case 'access_token':
      return credential.accessToken;
    case 'api_key':
      return credential.value;
    case 'client_certificate':
      return '';
  }
}

export const isSame = (one: Credential, other: Credential): boolean =>
  one.kind === other.kind && identityOf(one) === identityOf(other);
