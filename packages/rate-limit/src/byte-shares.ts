/** How many bytes may wait, and the share guaranteed to each owner. */
export interface ShareRule {
  readonly maxBytes: number;
  /** 1 to 20 */
  readonly sharePercent: number;
}

/** The last shares are kept for owners that are below theirs. */
const KEPT_SHARES = 4;

/**
 * Decides whether an owner may add so many bytes. Anyone may until only four shares are free; from then on an owner may
 * have one share at most, and no more than a fourth of what is free. So one owner alone gets most of it, and each further
 * owner that takes all it can leaves four fifths of what was free to those that come after it.
 * @param used before the addition: by all owners together, and by this one
 */
export function hasRoom(rule: ShareRule, used: { total: number; own: number }, bytes: number): boolean {
  const share = (rule.maxBytes * rule.sharePercent) / 100;
  if (used.total + bytes <= rule.maxBytes - KEPT_SHARES * share) return true;
  return used.own + bytes <= Math.min(share, (rule.maxBytes - used.total) / KEPT_SHARES);
}

export type ByteShares = ReturnType<typeof createByteShares>;

/** The bytes that owners have in one place in this process. */
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
