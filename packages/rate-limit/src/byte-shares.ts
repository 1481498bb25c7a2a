/** The maximum number of bytes of all owners, and the share of each owner. */
export interface ShareRule {
  readonly maxBytes: number;
  /** 1 to 20 */
  readonly sharePercent: number;
}

/** Number of shares that are reserved for owners who have used less than their share. */
const KEPT_SHARES = 4;

/**
 * Returns true if an owner may add so many bytes. Every owner may until only four shares are free; from then on an
 * owner may have at most one share, and at most a fourth of the free bytes. So a single owner gets most of the bytes,
 * and each further owner that takes all it can leaves four fifths of the free bytes to later ones.
 * @param used bytes before the addition: of all owners together, and of this one
 */
export function hasRoom(rule: ShareRule, used: { total: number; own: number }, bytes: number): boolean {
  const share = (rule.maxBytes * rule.sharePercent) / 100;
  if (used.total + bytes <= rule.maxBytes - KEPT_SHARES * share) return true;
  return used.own + bytes <= Math.min(share, (rule.maxBytes - used.total) / KEPT_SHARES);
}

export type ByteShares = ReturnType<typeof createByteShares>;

/** Counts the bytes that each owner has reserved from one limit, in this process. */
export function createByteShares(rule: ShareRule) {
  const owned = new Map<string, number>();
  let total = 0;
  return {
    /** @returns false, and reserves nothing, if the owner has no room */
    take(owner: string, bytes: number): boolean {
      const own = owned.get(owner) ?? 0;
      if (!hasRoom(rule, { total, own }, bytes)) return false;
      owned.set(owner, own + bytes);
      total += bytes;
      return true;
    },
    /** Releases reserved bytes. */
    give(owner: string, bytes: number): void {
      const left = (owned.get(owner) ?? 0) - bytes;
      if (left > 0) owned.set(owner, left);
      else owned.delete(owner);
      total -= bytes;
    },
    usedBytes: (): number => total,
  };
}
