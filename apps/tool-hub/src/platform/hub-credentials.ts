import {
  type CertificateCredentials,
  type ClientAuthMethod,
  type ClientCredentials,
  type ClientSettings,
  readClientCredentials,
} from '@legate/client-authentication';
import { findKind, type KindName } from '@legate/identity-providers';
import { ConfigError, type ParsedClientCertificate } from '@legate/service';

/** The settings of the hub as a client of the identity provider */
export interface HubCredentialSettings {
  readonly IDP_KIND: KindName;
  readonly IDP_CLIENT_SECRET?: ClientSettings['clientSecret'];
  readonly IDP_CLIENT_KEYS?: ClientSettings['clientKeys'];
  readonly IDP_CLIENT_CERTIFICATE?: ParsedClientCertificate | undefined;
  readonly IDP_TOKEN_ENDPOINT_AUTH_METHOD?: ClientAuthMethod | undefined;
  readonly IDP_CLIENT_ASSERTION_AUDIENCE?: ClientSettings['assertionAudience'];
}

/** How the hub authenticates at the identity provider */
export type HubCredentials = ClientCredentials | CertificateCredentials;

/** Returns how the hub authenticates to the identity provider, for all its requests. */
export function hubCredentials(settings: HubCredentialSettings): HubCredentials {
  const { IDP_TOKEN_ENDPOINT_AUTH_METHOD: method } = settings;
  if (settings.IDP_CLIENT_CERTIFICATE)
    return { method: method === 'self_signed_tls_client_auth' ? method : 'tls_client_auth' };
  const isOfSecret = method === 'client_secret_post' || method === 'client_secret_basic';
  const credentials = readClientCredentials({
    clientSecret: settings.IDP_CLIENT_SECRET,
    clientKeys: settings.IDP_CLIENT_KEYS,
    secretMethod: isOfSecret ? method : undefined,
    assertionAudience:
      settings.IDP_CLIENT_ASSERTION_AUDIENCE ?? findKind(settings.IDP_KIND).assertionAudience,
  });
  if (!credentials)
    throw new ConfigError(['IDP_CLIENT_SECRET: required, or IDP_CLIENT_KEYS or IDP_CLIENT_CERTIFICATE']);
  return credentials;
}
