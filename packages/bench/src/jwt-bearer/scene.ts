/** Constants shared by the programs and the load. None of these URLs is requested. */
export const IDP_ISSUER = 'https://idp.bench.example';
export const RESOURCE = 'https://tools.bench.example';
export const CLIENT_ID = 'tool-hub';
export const CLIENT_SECRET = 'a-secret-of-the-bench-and-nobody-else';
export const USER_ID = 'user_alice';
export const SCOPE = 'mcp:tools:read mcp:tools:call';
export const TOKEN_PATH = '/oauth/token';
export const ACCESS_TOKEN_SECONDS = 3600;
export const SKEW_SECONDS = 60;
/** Longest `exp - iat` of an assertion. */
export const MAX_ASSERTION_SECONDS = 600;
