export {
  ASSERTION_AUDIENCES,
  type AssertionAudience,
  type ClientCredentials,
  clientAuthentication,
} from './client-credentials.ts';
export { type ClientKey, clientKeysSetting, publicClientKeys } from './client-keys.ts';
export { type ClientSettings, clientSettingFaults, readClientCredentials } from './client-settings.ts';
export { createDiscoveredClient } from './discovered-client.ts';
