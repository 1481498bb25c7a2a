/** RFC 8693 §2.1, RFC 7523 §2.1 */
export const GRANT_TYPE = {
  authorizationCode: 'authorization_code',
  refreshToken: 'refresh_token',
  clientCredentials: 'client_credentials',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
} as const;

/** RFC 8693 §3; `id-jag` and `txn_token` from their drafts. */
export const TOKEN_TYPE = {
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
  refreshToken: 'urn:ietf:params:oauth:token-type:refresh_token',
  idToken: 'urn:ietf:params:oauth:token-type:id_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  idJag: 'urn:ietf:params:oauth:token-type:id-jag',
  txnToken: 'urn:ietf:params:oauth:token-type:txn_token',
} as const;

/** The header with a transaction token, beside the workload's own credentials (draft-ietf-oauth-transaction-tokens). */
export const TXN_TOKEN_HEADER = 'Txn-Token';

/** RFC 7523 §2.2 */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * draft-ietf-oauth-identity-assertion-authz-grant §7.2: how an authorization server declares that it redeems ID-JAGs.
 */
export const ID_JAG_GRANT_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';
