import { findAccessTokenMark } from '@legate/jwt';
import { validationFailed } from '@legate/service';
import { decodeJwt, decodeProtectedHeader } from 'jose';

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
 * Refuses an ID token in the place of an access token, as far as that is certain. No access token has the hash of itself
 * (OpenID Connect Core §3.1.3.6); `nonce` alone decides nothing, because some providers repeat it in access tokens.
 * @param idToken that of the same request
 * @throws {Problem} 400 `validation_failed`
 */
export function refuseIdToken(accessToken: string, idToken: string): void {
  if (accessToken === idToken || isIdToken(accessToken))
    throw refused('It is an ID token. Send the access token of the same sign-in.');
}

function isIdToken(token: string): boolean {
  const claims = claimsOf(token);
  if (claims?.at_hash !== undefined) return true;
  if (claims?.nonce === undefined || findAccessTokenMark(claims) !== undefined) return false;
  return !/^(application\/)?at\+jwt$/i.test(String(decodeProtectedHeader(token).typ));
}

/**
 * Reads an access token that an application presents for its user. A token that is no JWT cannot be read. The
 * signature is not checked: only the identity provider gets the token, which verifies it at each exchange. These checks
 * find a mistake when it is made; they do not show whose an opaque token is. An ID-JAG for another user is refused only
 * if the provider has public subjects alone.
 * @returns seconds until it expires; undefined if it does not declare that
 * @throws {Problem} 400 `validation_failed`
 */
export function lifetimeOf(
  accessToken: string,
  userId: string,
  { issuer, userClaim = 'sub', audiences, hubClientId }: AccessTokenTerms,
  now: number,
): number | undefined {
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
