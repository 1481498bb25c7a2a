import { optional } from '@legate/jwt';
import { AuthorizationServerMetadata } from '@legate/oauth';
import type { z } from 'zod';

/** The members of OpenID provider metadata that decide or explain something here (OpenID Connect Discovery §3) */
export const ProviderMetadata = AuthorizationServerMetadata.extend({
  id_token_signing_alg_values_supported: optional.texts,
  subject_types_supported: optional.texts,
  code_challenge_methods_supported: optional.texts,
  token_endpoint_auth_signing_alg_values_supported: optional.texts,
  /** draft-ietf-oauth-identity-chaining §2.3 */
  identity_chaining_requested_token_types_supported: optional.texts,
  backchannel_logout_supported: optional.flag,
});
export type ProviderMetadata = z.output<typeof ProviderMetadata>;
