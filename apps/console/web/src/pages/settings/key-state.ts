import type { ApiKey } from '../../api/types.ts';

/** Returns the state of a key at a given time; a rotated key is active until its overlap ends. */
export function keyState(
  { revoked_at: revoked, expires_at: expires }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: Date,
): 'live' | 'expired' | 'revoked' {
  if (revoked !== null && new Date(revoked) <= now) return 'revoked';
  return new Date(expires) <= now ? 'expired' : 'live';
}
