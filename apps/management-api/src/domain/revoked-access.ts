import type { Caller } from './caller.ts';

/**
 * Returns true for a token that an administrator has ended with the access of its user. One of the second of the revocation
 * may be the token that is to end.
 * @param revokedAt epoch seconds; null: never
 */
export const isOfRevokedAccess = (
  revokedAt: number | null,
  { issuedAt }: Pick<Caller, 'issuedAt'>,
): boolean => revokedAt !== null && issuedAt !== undefined && issuedAt <= revokedAt;
