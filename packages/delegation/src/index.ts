export { tokenId } from '@legate/jwt';
export {
  type AuthorizationClient,
  authorizationUrl,
  createAuthorizationClient,
  type GrantAnswer,
  redeemCode,
  revokeAt,
} from './connections/authorization-client.ts';
export {
  type Connection,
  connectionOwnerOf,
  consentRegistrationOf,
  consentSettingsOf,
  isMadeWith,
  type KeptConnection,
} from './connections/connection.ts';
export { type Connections, createConnections } from './connections/connection-store.ts';
export {
  type ConsentClient,
  type ConsentClientOf,
  createConsentClients,
  whereToConsent,
} from './connections/consent-client.ts';
export { checkTokens, type GrantedTokens } from './connections/granted-tokens.ts';
export { createFreshConnection } from './connections/refresh.ts';
export type { Authentication, Caller, CallerSession, SignIn } from './domain/caller.ts';
export { allowsScopes, type Connector } from './domain/connector.ts';
export {
  type AccessToken,
  type ActsAs,
  actsAs,
  type Credential,
  type Delegation,
  type DelegationMethod,
  isRenewable,
  type Obtained,
  type Passage,
  type Peer,
  type Refusal,
} from './domain/delegation.ts';
export {
  AUTH_METHODS,
  type CertificateKey,
  type ConnectorClientAuth,
  type IdJagSettings,
  type MethodSettings,
  type OAuthPkceSettings,
  type PassthroughSettings,
  type ServiceKey,
  type ServiceSettings,
} from './domain/method-settings.ts';
export type { Mark, SignOuts } from './domain/sign-outs.ts';
export { createFallback, type Delegate, type Methods } from './fallback.ts';
export { checkAccessToken } from './methods/access-token-checks.ts';
export {
  type CertificateConnections,
  createCertificateConnections,
} from './methods/certificate-connections.ts';
export { createIdJagMethod } from './methods/id-jag.ts';
export {
  checkIdJag,
  type IdJagExpectation,
  type IdJagOrganization,
  publicSubject,
} from './methods/id-jag-checks.ts';
export type { Leg, MeasureLeg } from './methods/legs.ts';
export { createOAuthPkceMethod } from './methods/oauth-pkce.ts';
export { createPassthroughMethod } from './methods/passthrough.ts';
export { createServiceMethod } from './methods/service.ts';
export { createUserPolicy } from './methods/user-policy.ts';
export { serverMetadataUrls } from './oauth-peers/discovery/authorization-server.ts';
export {
  createToolServerDiscovery,
  createUserAuthorizationDiscovery,
  type DiscoverUserAuthorization,
} from './oauth-peers/discovery/cached-discovery.ts';
export {
  type ClientDocumentFault,
  clientDocumentFault,
} from './oauth-peers/discovery/client-document-fault.ts';
export { CodeGrantMetadata, offersCode, offersPkce } from './oauth-peers/discovery/code-grant.ts';
export { discoverToolServer, type ToolServer } from './oauth-peers/discovery/discover-tool-server.ts';
export {
  discoverUserAuthorization,
  type UserAuthorization,
} from './oauth-peers/discovery/discover-user-authorization.ts';
export { createIdentityProvider, type IdentityProvider } from './oauth-peers/identity-provider.ts';
export { createPause, type Pause } from './oauth-peers/pause.ts';
export { causesOf, classifyFailure, type PeerFailure } from './oauth-peers/peer-failure.ts';
export { type Rotation, refreshOnce } from './oauth-peers/refresh-once.ts';
export { afterFailure, type Sent } from './oauth-peers/sent-token.ts';
export { clientAuthentication, createTokenClient, toCustomFetch } from './oauth-peers/token-client.ts';
export { requestToken, type TokenResponse } from './oauth-peers/token-request.ts';
export { createDelegations, type Delegations } from './obtain-credential.ts';
export { createSharedFlight } from './shared-flight.ts';
export { createTokenCache, type TokenCache } from './token-cache/token-cache.ts';
export type { RevokedTokens } from './token-cache/token-keys.ts';
export { createUseRecords, type UseRecords } from './use-record.ts';
