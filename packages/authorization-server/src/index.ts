export { createAdapterFactory } from './adapter.ts';
export { createOpenIdEngine, type OpenIdEngine } from './engine.ts';
export {
  type Account,
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type OidcProvider,
  Provider,
} from './oidc-provider.ts';
