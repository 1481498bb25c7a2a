export {
  type AuthorizationClient,
  authorizationUrl,
  createAuthorizationClient,
  type GrantAnswer,
  redeemCode,
  revokeAt,
  withAdvice,
} from './connections/authorization-client.ts';
export {
  type Connection,
  connectionOwnerOf,
  consentRegistrationOf,
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
export * from './connections/granted-tokens.ts';
export { createFreshConnection } from './connections/refresh.ts';
export type {
  Authentication,
  Caller,
  CallerSession,
  ClaimsMet,
  ExchangeToken,
  ExchangeTokenLack,
  LendToken,
  LentToken,
} from './domain/caller.ts';
export * from './domain/connector.ts';
export type {
  AccessToken,
  Credential,
  Delegation,
  DelegationFacts,
  DelegationMethod,
  Obtained,
  Peer,
  Refusal,
} from './domain/delegation.ts';
export type { ActsAs } from './domain/method-facts.ts';
export type {
  CertificateKey,
  ConnectorClientAuth,
  ConnectorFields,
  NamedSettings,
  ServiceKey,
} from './domain/method-settings.ts';
export * from './domain/sign-outs.ts';
export * from './fallback.ts';
export * from './methods/facts.ts';
export { checkAccessToken } from './methods/id-jag/access-token-checks.ts';
export { createProveActor } from './methods/id-jag/actor-token.ts';
export { checkIdJag, type IdJagExpectation, publicSubject } from './methods/id-jag/checks.ts';
export { createIdJagMethod, type MeasureLeg } from './methods/id-jag/method.ts';
export type { IdJagOrganization } from './methods/id-jag/organization-check.ts';
export * from './methods/id-jag/request.ts';
export type { IdJagSettings } from './methods/id-jag/settings.ts';
export { presentSubject } from './methods/id-jag/subject-token.ts';
export { createUserPolicy } from './methods/id-jag/user-policy.ts';
export { createMethods, type Methods } from './methods/methods.ts';
export type { UserAccounts } from './methods/oauth-pkce/method.ts';
export { consentSettingsOf, type OAuthPkceSettings } from './methods/oauth-pkce/settings.ts';
export type { PassthroughSettings } from './methods/passthrough/settings.ts';
export * from './methods/service/certificate-connections.ts';
export type { ServiceSettings } from './methods/service/settings.ts';
export { type MethodSettings, readSettings, type ServedConnector } from './methods/settings.ts';
export type { ExchangeProfile } from './methods/token-exchange/method.ts';
export type { TokenExchangeSettings } from './methods/token-exchange/settings.ts';
export {
  createResourceDiscovery,
  createToolServerDiscovery,
  createUserAuthorizationDiscovery,
  type DiscoverUserAuthorization,
} from './oauth-peers/discovery/cached-discovery.ts';
export {
  type ClientDocumentFault,
  clientDocumentFault,
} from './oauth-peers/discovery/client-document-fault.ts';
export { discoverToolServer, type ToolServer } from './oauth-peers/discovery/discover-tool-server.ts';
export {
  CodeGrantMetadata,
  discoverUserAuthorization,
  offersCode,
  offersPkce,
  type UserAuthorization,
} from './oauth-peers/discovery/discover-user-authorization.ts';
export * from './oauth-peers/identity-provider.ts';
export { createPause, type Pause } from './oauth-peers/pause.ts';
export * from './oauth-peers/peer-failure.ts';
export * from './oauth-peers/refresh-once.ts';
export { afterFailure, type Sent } from './oauth-peers/sent-token.ts';
export { createTokenClient, sendThrough } from './oauth-peers/token-client.ts';
export { TokenResponse } from './oauth-peers/token-request.ts';
export { createDelegations, type Delegations } from './obtain-credential.ts';
export { createSharedFlight } from './shared-flight.ts';
export { createTokenCache, type TokenCache } from './token-cache/token-cache.ts';
export type { RevokedTokens } from './token-cache/token-keys.ts';
export { createUseRecords, type UseRecords } from './use-record.ts';
