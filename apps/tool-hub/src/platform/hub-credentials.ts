import { type ClientSettings, readClientCredentials } from '@legate/client-authentication';
import { findKind, type KindName } from '@legate/identity-providers';
import { ConfigError } from '@legate/service';

/** The settings of the hub as a client of the identity provider */
export interface HubCredentialSettings {
  readonly IDP_KIND: KindName;
  readonly IDP_CLIENT_SECRET?: ClientSettings['clientSecret'];
  readonly IDP_CLIENT_KEYS?: ClientSettings['clientKeys'];
  readonly IDP_TOKEN_ENDPOINT_AUTH_METHOD?: ClientSettings['secretMethod'];
  readonly IDP_CLIENT_ASSERTION_AUDIENCE?: ClientSettings['assertionAudience'];
}

/** Returns how the hub authenticates to the identity provider, for all its requests. */
export function hubCredentials(settings: HubCredentialSettings) {
  const credentials = readClientCredentials({
    clientSecret: settings.IDP_CLIENT_SECRET,
    clientKeys: settings.IDP_CLIENT_KEYS,
    secretMethod: settings.IDP_TOKEN_ENDPOINT_AUTH_METHOD,
    assertionAudience:
      settings.IDP_CLIENT_ASSERTION_AUDIENCE ?? findKind(settings.IDP_KIND).assertionAudience,
  });
  if (!credentials) throw new ConfigError(['IDP_CLIENT_SECRET: required, or IDP_CLIENT_KEYS']);
  return credentials;
}
