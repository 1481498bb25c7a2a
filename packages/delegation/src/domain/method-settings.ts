import type { ClientCredentials } from '@legate/client-authentication';

/** A connector's settings for one method, by the method's name. Its folder in `methods/` declares the others. */
export interface NamedSettings {
  readonly method: string;
}

/** How we authenticate at the token endpoint of a connector's authorization server (docs/adr/0004) */
export type ConnectorClientAuth = ClientCredentials;

/** Our credential at the tool server, the same for all users. */
export type ServiceKey =
  /** `header` is in lower case. `authorization` contains `Bearer` and the key, any other header only the key. */
  { readonly kind: 'api_key'; readonly header: string; readonly value: string } | CertificateKey;

export interface CertificateKey {
  readonly kind: 'mtls';
  /** PEM: the certificate with its chain */
  readonly certificate: string;
  /** PEM */
  readonly privateKey: string;
  /** Epoch seconds */
  readonly expiresAt: number;
  /** PEM: used instead of the well-known CAs, for a tool server with its own CA */
  readonly trustedCas: string | undefined;
}

/**
 * A connector's members as a document has them; each method reads its own. The functions throw the document's own error
 * for a member that is missing or cannot be used.
 */
export interface ConnectorFields {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly passthroughAudiences: readonly string[];
  /**
   * The audience for which a user's access token is exchanged, and the `aud` of the new one. An administrator has
   * acknowledged that others may accept it too, unless `tokenAudience` is the resource.
   */
  exchange(): { readonly audience: string; readonly tokenAudience: string };
  /** Our client at the connector's authorization server */
  client(): { readonly clientId: string; readonly clientAuth: ConnectorClientAuth };
  /** Our client there, for a method that needs no client or accepts a public one, without authentication */
  optionalClient(): {
    readonly clientId: string | undefined;
    readonly clientAuth: ConnectorClientAuth | undefined;
  };
  serviceKey(): ServiceKey;
}

/** Functions that read and describe the settings of a method, without a request */
export interface MethodConfiguration<Settings extends NamedSettings> {
  /** @throws the errors of the fields */
  read(fields: ConnectorFields): Settings;
  /**
   * The client for which a token is requested. It is part of the keys of cached tokens: a changed value makes all
   * tokens of the method unusable. Contains no secret.
   */
  clientOf(settings: Settings): readonly unknown[];
}
