import type { ClientMetadata, HandoverSecret } from '@legate/authorization-server';
import { GRANT_TYPE } from '@legate/oauth';
import { isLoopback } from '../directory/loopback.ts';
import type { Client } from '../directory/model.ts';

const SERVED_BY_LIBRARY: readonly string[] = [
  GRANT_TYPE.authorizationCode,
  GRANT_TYPE.refreshToken,
  GRANT_TYPE.clientCredentials,
];

/**
 * Returns a sector identifier for each client, so that its subjects differ from those of other clients (OpenID Connect
 * Core §8.1). The URL is never fetched; see `provider.ts`.
 */
const sectorUri = (clientId: string): string => `https://sectors.invalid/${encodeURIComponent(clientId)}`;

/** Converts a client of the directory to oidc-provider's metadata (OpenID Connect Dynamic Client Registration §2). */
export function toClientMetadata(
  client: Client,
  handoverSecret: HandoverSecret,
  options: { isPairwise: boolean },
): ClientMetadata {
  const grantTypes = client.grantTypes.filter((type) => SERVED_BY_LIBRARY.includes(type));
  const signsIn = grantTypes.includes(GRANT_TYPE.authorizationCode);
  return {
    client_id: client.clientId,
    client_name: client.name,
    // A machine client is its own subject, so it has no pairwise one.
    ...(options.isPairwise && signsIn
      ? { subject_type: 'pairwise', sector_identifier_uri: sectorUri(client.clientId) }
      : { subject_type: 'public' }),
    // Only the loopback redirect URIs of native applications may use any port (RFC 8252 §7.3).
    application_type: client.redirectUris.some(isNative) ? 'native' : 'web',
    redirect_uris: signsIn ? client.redirectUris : [],
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    response_types: signsIn ? ['code'] : [],
    grant_types: grantTypes,
    ...(client.backchannelLogoutUri !== undefined && {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    ...(client.isPublic
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_post', client_secret: handoverSecret(client.clientId) }),
  };
}

function isNative(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return isLoopback(url) || !['http:', 'https:'].includes(url.protocol);
}
