import { UserId } from '@legate/ids';
import { TokenRefused } from '@legate/jwt';

/**
 * Returns the id of the user of a token, which is the same in all tokens that the identity provider issues for them.
 * @param claim `userClaim` or `accessTokenUserClaim` of the kind of identity provider
 * @throws {TokenRefused} `claims` if the claim is missing or cannot be an id
 */
export function userIdOf(claims: Readonly<Record<string, unknown>>, claim: string): UserId {
  const { success, data } = UserId.safeParse(claims[claim]);
  if (!success) throw new TokenRefused('claims', { detail: claim });
  return data;
}
