import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { VerifiedToken, VerifyToken } from './verifier.ts';
import { epochSeconds } from './verifier.ts';

/** A verifier that caches verified tokens. */
export type CachedVerifyToken<Claims> = VerifyToken<Claims> & {
  /** Returns true for a token that was verified before and has not expired. Costs one hash. */
  isKnown(token: string): boolean;
};

/**
 * Caches verified tokens by their SHA-256, so that a client which sends the same bearer token with every request costs
 * one signature check a minute. Expiry is checked on every call; after its issuer withdraws a key, tokens signed with
 * it stay accepted for at most `maxAgeSeconds`. Refusals are not cached.
 * @param options.maxAgeSeconds default 60
 * @param options.maxEntries default 10 000
 */
export function cacheVerified<Claims>(
  verify: VerifyToken<Claims>,
  options: { clock: () => Date; maxAgeSeconds?: number; maxEntries?: number },
): CachedVerifyToken<Claims> {
  const maxAgeSeconds = options.maxAgeSeconds ?? 60;
  const entries = new LRUCache<string, { verified: VerifiedToken<Claims>; verifyAgainAt: number }>({
    maxSize: options.maxEntries ?? 10_000,
    sizeCalculation: () => 1, // with `max` the cache would allocate memory for all entries at once
  });

  const verifyOnce = async (token: string) => {
    const key = hash('sha256', token, 'base64');
    const now = epochSeconds(options.clock());
    const entry = entries.get(key);
    if (entry && now < entry.verifyAgainAt && now < entry.verified.acceptedUntil) return entry.verified;
    const verified = await verify(token);
    entries.set(key, { verified, verifyAgainAt: now + maxAgeSeconds });
    return verified;
  };
  return Object.assign(verifyOnce, {
    isKnown(token: string) {
      const entry = entries.get(hash('sha256', token, 'base64'));
      return entry !== undefined && epochSeconds(options.clock()) < entry.verified.acceptedUntil;
    },
  });
}
