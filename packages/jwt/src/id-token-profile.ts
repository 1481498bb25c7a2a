import { TokenRefused } from './errors.ts';
import { type IdTokenClaims, idToken } from './profiles.ts';
import type { TokenProfile } from './token-profile.ts';

/**
 * Returns true if a claim has a value that marks an access token: claims that providers put into access tokens with the
 * same `typ` header as any other JWT (RFC 8725 §3.12), and that OpenID Connect Core §2 does not define for ID tokens.
 */
const MARKS = {
  /** RFC 9068 §2.2.3 */
  scope: () => true,
  /** Okta, Microsoft Entra ID */
  scp: () => true,
  /** RFC 9068 §2.2 */
  client_id: () => true,
  /** Amazon Cognito: `id` or `access` */
  token_use: (value: unknown) => value !== 'id',
  /** Keycloak: `ID`, `Bearer` or `Refresh` */
  typ: (value: unknown) => typeof value !== 'string' || !['id', 'jwt'].includes(value.toLowerCase()),
} as const satisfies Record<string, (value: unknown) => boolean>;

export type AccessTokenMark = keyof typeof MARKS;
export const ACCESS_TOKEN_MARKS = Object.keys(MARKS).filter((name): name is AccessTokenMark => name in MARKS);

/** Seconds. ID tokens of most providers last an hour or a working day. */
export const DEFAULT_MAX_ID_TOKEN_LIFETIME_SECONDS = 86_400;

/**
 * Returns the profile of an ID token that represents a user at a service. It excludes access tokens and logout tokens,
 * and limits the lifetime, since nothing but its expiry revokes an ID token everywhere.
 * @param options.allowedMarks claims that the provider puts into its ID tokens although they mark access tokens. Allow
 * as few as possible: with all of them allowed, only the audience distinguishes an ID token from an access token
 */
export function boundedIdToken(
  options: { allowedMarks?: readonly AccessTokenMark[]; maxLifetimeSeconds?: number } = {},
): TokenProfile<IdTokenClaims> {
  const { allowedMarks = [], maxLifetimeSeconds = DEFAULT_MAX_ID_TOKEN_LIFETIME_SECONDS } = options;
  const marks = ACCESS_TOKEN_MARKS.filter((name) => !allowedMarks.includes(name));
  return {
    ...idToken,
    maxLifetimeSeconds,
    checkSigned(claims) {
      const mark = marks.find((name) => claims[name] !== undefined && MARKS[name](claims[name]));
      if (mark !== undefined) throw new TokenRefused('typ', { detail: mark });
      // A logout token may have the `typ` of an ID token (OpenID Connect Back-Channel Logout §2.4).
      if ('events' in claims) throw new TokenRefused('typ', { detail: 'events' });
    },
  };
}
