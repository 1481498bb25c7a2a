import { optional, strictIfThere } from '@legate/jwt';
import { z } from 'zod';
import { GRANT_TYPE, ID_JAG_GRANT_PROFILE } from './urns.ts';

/** RFC 9728 §2, the members that Legate reads; others are kept. */
export const ProtectedResourceMetadata = z.looseObject({
  resource: z.url(),
  authorization_servers: strictIfThere(z.array(z.url())),
  scopes_supported: optional.texts,
  bearer_methods_supported: optional.texts,
});
export type ProtectedResourceMetadata = z.output<typeof ProtectedResourceMetadata>;

/** RFC 8414 §2, the members that Legate reads; others are kept. */
export const AuthorizationServerMetadata = z.looseObject({
  issuer: z.url(),
  token_endpoint: z.url(),
  jwks_uri: optional.url,
  authorization_endpoint: optional.url,
  grant_types_supported: optional.texts,
  scopes_supported: optional.texts,
  token_endpoint_auth_methods_supported: optional.texts,
  authorization_grant_profiles_supported: optional.texts,
});
export type AuthorizationServerMetadata = z.output<typeof AuthorizationServerMetadata>;

/**
 * Returns a document if it names this issuer, because another one must not be used (RFC 8414 §3.3).
 * @throws {Error} if it names another issuer
 */
export function requireIssuer<Document extends { issuer: string }>(
  issuer: string,
  document: Document,
): Document {
  if (document.issuer !== issuer) throw new Error(`the metadata of ${issuer} name another issuer`);
  return document;
}

/** RFC 9728 §2. `resource` is emitted as configured: `URL.href` would add a slash to a bare origin. */
export function protectedResourceMetadata(options: {
  resource: string;
  authorizationServers: readonly string[];
  scopes: readonly string[];
  name?: string;
}): ProtectedResourceMetadata {
  return {
    resource: options.resource,
    authorization_servers: [...options.authorizationServers],
    ...(options.scopes.length > 0 && { scopes_supported: [...options.scopes] }),
    bearer_methods_supported: ['header'],
    ...(options.name && { resource_name: options.name }),
  };
}

/**
 * Metadata (RFC 8414 §2) of an authorization server that only redeems ID-JAGs. It has `authorization_endpoint` and an
 * empty `response_types_supported` because widely used clients reject the document without them.
 */
export function idJagServerMetadata(options: {
  issuer: string;
  tokenEndpoint: string;
  authorizationEndpoint: string;
  jwksUri: string;
  scopes: readonly string[];
  authMethods: readonly string[];
  authSigningAlgorithms: readonly string[];
}): AuthorizationServerMetadata {
  return {
    issuer: options.issuer,
    authorization_endpoint: options.authorizationEndpoint,
    token_endpoint: options.tokenEndpoint,
    jwks_uri: options.jwksUri,
    ...(options.scopes.length > 0 && { scopes_supported: [...options.scopes] }),
    response_types_supported: [],
    grant_types_supported: [GRANT_TYPE.jwtBearer],
    authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
    token_endpoint_auth_methods_supported: [...options.authMethods],
    token_endpoint_auth_signing_alg_values_supported: [...options.authSigningAlgorithms],
  };
}
