import { readClientCredentials } from '@legate/client-authentication';
import { ConfigError } from '@legate/service';
import type { Config } from './config.ts';

type Settings = Pick<
  Config,
  'IDP_CLIENT_SECRET' | 'IDP_CLIENT_KEYS' | 'IDP_TOKEN_ENDPOINT_AUTH_METHOD' | 'IDP_CLIENT_ASSERTION_AUDIENCE'
>;

/** How the hub authenticates at the identity provider, whatever it asks for there. */
export function hubCredentials(config: Settings) {
  const credentials = readClientCredentials({
    clientSecret: config.IDP_CLIENT_SECRET,
    clientKeys: config.IDP_CLIENT_KEYS,
    secretMethod: config.IDP_TOKEN_ENDPOINT_AUTH_METHOD,
    assertionAudience: config.IDP_CLIENT_ASSERTION_AUDIENCE,
  });
  if (!credentials) throw new ConfigError(['IDP_CLIENT_SECRET: required, or IDP_CLIENT_KEYS']);
  return credentials;
}
