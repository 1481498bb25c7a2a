import { ASYMMETRIC_ALGORITHMS } from '@legate/jwt';
import type { CLIENT_WAYS } from '../../oauth-clients/settings.ts';
import { resourceOf } from '../mcp/metadata.ts';
import type { OAuthPart } from '../token-endpoint/oauth-part.ts';
import { SCOPE } from './terms.ts';

const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/**
 * Returns what clients must know to sign a user in (RFC 8414 §2, RFC 9728 §4, RFC 9207 §3). Some clients request a
 * refresh token only if the grant `refresh_token` is listed, and send the URL of their document only if `none` is
 * listed.
 */
export const metadataOf = (
  publicUrl: string,
  ways: readonly (typeof CLIENT_WAYS)[number][],
): OAuthPart['metadata'] => ({
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  revocation_endpoint: `${publicUrl}/oauth/revoke`,
  ...(ways.includes('dynamic') && { registration_endpoint: `${publicUrl}/oauth/register` }),
  scopes_supported: [SCOPE],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  token_endpoint_auth_signing_alg_values_supported: [...ASYMMETRIC_ALGORITHMS],
  revocation_endpoint_auth_signing_alg_values_supported: [...ASYMMETRIC_ALGORITHMS],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: ways.includes('documents'),
  protected_resources: [resourceOf(publicUrl, undefined)],
});
