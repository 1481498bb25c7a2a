/** How a caller authenticated: with a token for the API, in the service's own pages, or through another service */
export const CREDENTIAL_KINDS = ['access_token', 'api_key', 'session', 'transaction', 'scim'] as const;

/** The credential of a caller, as named in the audit trail */
export interface Credential {
  readonly kind: (typeof CREDENTIAL_KINDS)[number];
  /** The application that sent the request; null if the token does not name it */
  readonly clientId: string | null;
  /** See `tokenId` of `@legate/jwt`; null if there is no token */
  readonly tokenId: string | null;
}

/** A session of the service's own pages. */
export const PAGE_SESSION: Credential = { kind: 'session', clientId: null, tokenId: null };
