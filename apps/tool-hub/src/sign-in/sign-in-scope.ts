import type { ServerMetadata } from 'openid-client';

/**
 * Scopes of a sign-in at the hub. Without `offline_access` many providers issue no refresh token, and the session ends
 * with its ID token.
 */
export const SIGN_IN_SCOPES = ['openid', 'email', 'profile', 'offline_access'];

/**
 * Returns the `scope` of a sign-in. Scopes that the identity provider does not list are left out, except those that it
 * has its own names for.
 * @param subjectScope sent whatever the provider lists
 */
export const scopeOf = (
  { scopes_supported: listed }: Pick<ServerMetadata, 'scopes_supported'>,
  subjectScope: string | undefined,
  scopes: readonly string[] = SIGN_IN_SCOPES,
): string =>
  [...scopes.filter((scope) => listed?.includes(scope) ?? scope === 'openid'), subjectScope]
    .filter((scope) => scope !== undefined)
    .join(' ');
