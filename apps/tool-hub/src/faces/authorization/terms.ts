/** The one scope of the hub: to call tools as the user */
export const SCOPE = 'mcp';
/** Seconds that an access token is good for, if its session does not end before */
export const TOKEN_SECONDS = 3600;
/** Seconds that a user has for signing in and deciding */
export const INTERACTION_SECONDS = 600;
