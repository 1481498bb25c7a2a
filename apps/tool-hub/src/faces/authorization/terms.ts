/** The one scope of the hub: to call tools as the user */
export const SCOPE = 'mcp';
/** Seconds for which an access token is valid, if its session does not end before */
export const TOKEN_SECONDS = 3600;
/** Seconds that a user has for signing in and deciding */
export const INTERACTION_SECONDS = 600;
/** Seconds within which a code must be redeemed */
export const CODE_SECONDS = 60;
/** Lifetime in seconds of a session whose code is not redeemed: the browser needs some time to deliver the code */
export const PENDING_SECONDS = 2 * CODE_SECONDS;
