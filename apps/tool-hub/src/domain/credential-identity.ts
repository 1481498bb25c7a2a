import type { Credential } from '@legate/delegation';

/** The secret itself, to be compared or hashed and never kept. Of a certificate nothing: its connector's settings have it. */
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
