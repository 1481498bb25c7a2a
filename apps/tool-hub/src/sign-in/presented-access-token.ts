import { validationFailed } from '@legate/service';
import { decodeJwt } from 'jose';

/** The access tokens that applications may keep in their sessions */
export interface AccessTokenTerms {
  readonly issuer: string;
  /** The claim that contains the user's id; default: `sub` */
  readonly userClaim?: string | undefined;
  /** Accepted in `aud`: names of the hub */
  readonly audiences: readonly string[];
  /** A token that was issued to this client is accepted with any `aud`: a client may exchange what it was given. */
  readonly hubClientId: string;
}

/**
 * Reads an access token that an application presents for its user. A token that is no JWT cannot be read. The
 * signature is not checked: only the identity provider gets the token, which verifies it at each exchange. These checks
 * find a mistake when it is made; they do not show whose an opaque token is. An ID-JAG for another user is refused only
 * if the provider has public subjects alone.
 * @param user the user of the ID token of the same request
 * @returns seconds until it expires; undefined if it does not declare that
 * @throws {Problem} 400 `validation_failed`
 */
export function lifetimeOf(
  accessToken: string,
  { idToken, userId }: { readonly idToken: string; readonly userId: string },
  { issuer, userClaim = 'sub', audiences, hubClientId }: AccessTokenTerms,
  now: number,
): number | undefined {
  if (accessToken === idToken)
    throw refused('It is the ID token. Send the access token of the same sign-in.');
  const claims = claimsOf(accessToken);
  if (!claims) return undefined;
  if (claims.iss !== issuer) throw refused('It is not a token of the identity provider of this hub.');
  if (claims[userClaim] !== userId) throw refused('It belongs to another user than the ID token.');
  const isForHub = [claims.aud].flat().some((each) => audiences.some((name) => name === each));
  if (!isForHub && ![claims.azp, claims.client_id].includes(hubClientId))
    throw refused("It is not addressed to the hub, nor issued to the hub's client.");
  const { exp } = claims;
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return undefined;
  if (exp <= now) throw refused('It has expired.');
  return exp - now;
}

function claimsOf(accessToken: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return decodeJwt(accessToken);
  } catch {
    return undefined;
  }
}

const refused = (detail: string) =>
  validationFailed([{ pointer: '/access_token', code: 'invalid_format', detail }]);
