import type { Caller } from './caller.ts';

/**
 * Returns true for a token that ended when an administrator revoked its user's access. A token issued in the
 * same second as the revocation counts as ended.
 * @param revokedAt epoch seconds; null: never
 */
export const isOfRevokedAccess = (
  revokedAt: number | null,
  { issuedAt }: Pick<Caller, 'issuedAt'>,
): boolean => revokedAt !== null && issuedAt !== undefined && issuedAt <= revokedAt;
