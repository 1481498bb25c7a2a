import { type IdpAccessTokenClaims, tokenId } from '@legate/jwt';
import type { Credential } from '../../domain/credential.ts';
import { storable } from '../../domain/storable-text.ts';

/** Claims in which providers name the client: RFC 9068, OpenID Connect, Okta, Entra ID */
export const CLIENT_CLAIMS = ['client_id', 'azp', 'cid', 'appid'] as const;

/** Returns the identification of an access token in the audit trail, and the client that it was issued to. */
export function credentialOf(token: string, claims: IdpAccessTokenClaims): Credential {
  const client = CLIENT_CLAIMS.map((name) => claims[name]).find((value) => typeof value === 'string');
  return {
    kind: 'access_token',
    clientId: typeof client === 'string' ? storable(client) : null,
    tokenId: tokenId(token, claims),
  };
}
