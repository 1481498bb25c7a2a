import type { SessionRecord } from './session-record.ts';
import type { VerifiedIdToken } from './verify-id-token.ts';

/**
 * Checks that a renewed ID token is for the same sign-in, user, organization and audience.
 * @returns the first claim that differs
 * @see OpenID Connect Core §12.2
 */
export function findChangedClaim(
  record: SessionRecord,
  { caller, claims: renewed }: VerifiedIdToken,
): string | undefined {
  const { original } = record;
  if (renewed.iss !== original.iss) return 'iss';
  if (renewed.sub !== (original.sub ?? record.userId)) return 'sub';
  if (caller.userId !== record.userId) return 'user_id';
  if (caller.organizationId !== record.organizationId) return 'organization_id';
  const audiences = [renewed.aud].flat();
  if (audiences.length !== original.aud.length || !audiences.every((each) => original.aud.includes(each)))
    return 'aud';
  if (renewed.azp !== original.azp) return 'azp';
  if (renewed.iat < record.idTokenIssuedAt) return 'iat';
  // Both may be missing in a renewed token; if present, they must be those of the sign-in.
  if (renewed.nonce !== undefined && renewed.nonce !== original.nonce) return 'nonce';
  const { auth_time: authTime } = renewed;
  if (authTime !== undefined && original.authTime !== undefined && authTime !== original.authTime)
    return 'auth_time';
  return undefined;
}
