export {
  ASSERTION_AUDIENCES,
  type AssertionAudience,
  type CertificateCredentials,
  type ClientCredentials,
  clientAuthentication,
  clientMetadata,
  tokenEndpointAuthMethod,
} from './client-credentials.ts';
export { type ClientKey, clientKeysSetting, publicClientKeys, readClientKey } from './client-keys.ts';
export {
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  type ClientSettings,
  clientSettingFaults,
  readClientCredentials,
} from './client-settings.ts';
export { createDiscoveredClient } from './discovered-client.ts';
