/** How a caller authenticated: with a token for the API, in our own pages, or through a service */
export const CREDENTIAL_KINDS = ['access_token', 'api_key', 'session', 'transaction', 'scim'] as const;

/** What a caller authenticated with, as the audit trail names it */
export interface Credential {
  readonly kind: (typeof CREDENTIAL_KINDS)[number];
  /** The application that sent the request; null where the token does not name it */
  readonly clientId: string | null;
  /** See `tokenId` of `@legate/jwt`; null where there is no token */
  readonly tokenId: string | null;
}

/** A session of our own pages. */
export const PAGE_SESSION: Credential = { kind: 'session', clientId: null, tokenId: null };
