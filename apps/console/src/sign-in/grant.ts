import { type OrganizationRule, organizationOf } from '@legate/identity-providers';
import { strictIfThere } from '@legate/jwt';
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { z } from 'zod';

const Claims = z.looseObject({
  sub: z.string().min(1).max(255),
  sid: strictIfThere(z.string().min(1).max(255)),
  exp: z.number(),
});

/** The response of the token endpoint. */
export interface Grant {
  readonly accessToken: string;
  /** Epoch seconds */
  readonly accessTokenExpiresAt: number;
  readonly refreshToken: string | undefined;
  /** Undefined if a refresh returns no ID token */
  readonly identity:
    | { idToken: string; expiresAt: number; userId: string; organizationId?: string; sid?: string }
    | undefined;
}

/** Lifetime of an access token without `expires_in` (RFC 6749 §5.1) */
const DEFAULT_LIFE_SECONDS = 300;

/** @param now epoch seconds. @throws {ZodError | TokenRefused} */
export function toGrant(
  answer: TokenEndpointResponse & TokenEndpointResponseHelpers,
  { organizationRule, now }: { organizationRule: OrganizationRule; now: number },
): Grant {
  const { id_token: idToken, expires_in: life = DEFAULT_LIFE_SECONDS } = answer;
  const claims = idToken === undefined ? undefined : Claims.parse(answer.claims());
  const organizationId = claims && organizationOf(organizationRule, claims);
  return {
    accessToken: answer.access_token,
    accessTokenExpiresAt: now + life,
    refreshToken: answer.refresh_token,
    identity:
      claims === undefined || idToken === undefined
        ? undefined
        : {
            ...{ idToken, expiresAt: claims.exp, userId: claims.sub },
            ...(organizationId !== undefined && { organizationId }),
            ...(claims.sid !== undefined && { sid: claims.sid }),
          },
  };
}
