export { createAdapterFactory, createTokenReader, type StoredToken, type TokenModel } from './adapter.ts';
export {
  cookiesNamed,
  createOpenIdEngine,
  type FormAnswer,
  type OpenIdEngine,
  withoutCookie,
} from './engine.ts';
export { createHandoverSecret, type HandoverSecret } from './handover-secret.ts';
export {
  type Account,
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  errors,
  type InteractionResults,
  interactionPolicy,
  type KoaContextWithOIDC,
  type OidcProvider,
  Provider,
} from './oidc-provider.ts';
export { namingOutages, orUnavailable, RETRY_AFTER_SECONDS, StoreUnavailable } from './store-outage.ts';
