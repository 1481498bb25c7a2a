export {
  ASSERTION_AUDIENCES,
  type AssertionAudience,
  type ClientCredentials,
  clientAuthentication,
  tokenEndpointAuthMethod,
} from './client-credentials.ts';
export { type ClientKey, clientKeysSetting, publicClientKeys, readClientKey } from './client-keys.ts';
export { type ClientSettings, clientSettingFaults, readClientCredentials } from './client-settings.ts';
export { createDiscoveredClient } from './discovered-client.ts';
