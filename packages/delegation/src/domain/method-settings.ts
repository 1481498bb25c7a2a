import type { ClientCredentials } from '@legate/client-authentication';

/** Product spec §5: `id-jag`, and its fallbacks */
export type AuthMethod = MethodSettings['method'];

/** A method's settings for a connector. A method without its settings cannot be configured. */
export type MethodSettings = IdJagSettings | PassthroughSettings | ServiceSettings | OAuthPkceSettings;

/** How we authenticate at the token endpoint of a connector's authorization server (docs/adr/0004) */
export type ConnectorClientAuth = ClientCredentials;

export interface IdJagSettings {
  readonly method: 'id-jag';
  /** Our client at the tool server's authorization server; the ID-JAG's `client_id` must be this one. */
  readonly clientId: string;
  readonly clientAuth: ConnectorClientAuth;
  /** The only authorization server to which our credentials may go; undefined: the one at the tool server's own origin */
  readonly issuer: string | undefined;
  /** `audience` of the token exchange, where the derived one is wrong for this identity provider. */
  readonly audience: string | undefined;
}

/** Exists only if an administrator has acknowledged that it bypasses audience scoping. */
export interface PassthroughSettings {
  readonly method: 'passthrough';
  /** Audiences of callers' tokens that this tool server accepts, besides its own resource identifier */
  readonly acceptedAudiences: readonly string[];
}

export interface ServiceSettings {
  readonly method: 'service';
  readonly key: ServiceKey;
}

/** Our credential at the tool server, the same for all users. */
export type ServiceKey =
  /** `header` in lower case. In `authorization` the key is a bearer token, elsewhere it stands alone. */
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

/** Users consent at an authorization server that need not know our identity provider. */
export interface OAuthPkceSettings {
  readonly method: 'oauth-pkce';
  /**
   * Our client at that authorization server; undefined: none is registered, and we are known there by our own
   * Client ID Metadata Document for this connector
   */
  readonly clientId: string | undefined;
  /** Undefined: a public client, as one without registration always is */
  readonly clientAuth: ConnectorClientAuth | undefined;
  /** The only authorization server that may be asked; undefined: the tool server's own */
  readonly issuer: string | undefined;
}
