export {
  type BearerCredentials,
  type BearerErrorCode,
  type Challenge,
  formatBearerChallenge,
  parseBearerChallenge,
  readBearer,
} from './bearer.ts';
export { type ChosenIssuer, chooseIssuer } from './choose-issuer.ts';
export {
  type AuthenticatedClient,
  type ClientAuthMethod,
  createClientAuthenticator,
  hashClientSecret,
  type RegisteredClient,
} from './client-authentication.ts';
export { areClientsDistinct, checkClientMembers, clientMembers, secretHashesOf } from './client-file.ts';
export { OAuthError, type OAuthErrorCode, PUBLIC_TEXT } from './errors.ts';
export { type FormParameters, parseForm } from './form.ts';
export { createIssuerKeySet } from './issuer-keys.ts';
export {
  AuthorizationServerMetadata,
  idJagServerMetadata,
  ProtectedResourceMetadata,
  protectedResourceMetadata,
  wellKnownUrl,
} from './metadata.ts';
export {
  findDocument,
  isSameResource,
  type ReadResource,
  readProtectedResource,
  resourceMetadataUrls,
} from './protected-resource.ts';
export { formatScope, isScopeToken, parseScope, ScopeToken } from './scope.ts';
export { CLIENT_ASSERTION_TYPE, GRANT_TYPE, ID_JAG_GRANT_PROFILE, TOKEN_TYPE } from './urns.ts';
