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
export * from './connections/connection-store.ts';
export * from './connections/consent-client.ts';
export * from './connections/granted-tokens.ts';
export * from './connections/refresh.ts';
export * from './domain/caller.ts';
export * from './domain/connector.ts';
export * from './domain/delegation.ts';
export * from './domain/method-settings.ts';
export * from './domain/sign-outs.ts';
export * from './fallback.ts';
export * from './methods/facts.ts';
export * from './methods/id-jag/access-token-checks.ts';
export { createProveActor, type ProveActor, type ProvenActor } from './methods/id-jag/actor-token.ts';
export * from './methods/id-jag/checks.ts';
export * from './methods/id-jag/method.ts';
export * from './methods/id-jag/request.ts';
export type { IdJagSettings } from './methods/id-jag/settings.ts';
export { type FoundSubjectToken, type SubjectToken, subjectTokenOf } from './methods/id-jag/subject-token.ts';
export * from './methods/id-jag/user-policy.ts';
export * from './methods/methods.ts';
export * from './methods/oauth-pkce/method.ts';
export { consentSettingsOf, type OAuthPkceSettings } from './methods/oauth-pkce/settings.ts';
export * from './methods/passthrough/method.ts';
export type { PassthroughSettings } from './methods/passthrough/settings.ts';
export * from './methods/service/certificate-connections.ts';
export * from './methods/service/method.ts';
export type { ServiceSettings } from './methods/service/settings.ts';
export { type MethodSettings, readSettings, type ServedConnector } from './methods/settings.ts';
export * from './oauth-peers/discovery/cached-discovery.ts';
export * from './oauth-peers/discovery/client-document-fault.ts';
export * from './oauth-peers/discovery/discover-tool-server.ts';
export * from './oauth-peers/discovery/discover-user-authorization.ts';
export * from './oauth-peers/identity-provider.ts';
export * from './oauth-peers/pause.ts';
export * from './oauth-peers/peer-failure.ts';
export * from './oauth-peers/refresh-once.ts';
export { afterFailure, type Sent } from './oauth-peers/sent-token.ts';
export * from './oauth-peers/token-client.ts';
export * from './oauth-peers/token-request.ts';
export * from './obtain-credential.ts';
export * from './shared-flight.ts';
export { createTokenCache, type TokenCache } from './token-cache/token-cache.ts';
export type { RevokedTokens } from './token-cache/token-keys.ts';
export * from './use-record.ts';
