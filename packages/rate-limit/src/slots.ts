/** A claim for one slot: the holder, and the maximum number of slots that they may have at a time. */
export interface SlotClaim {
  /** The kind of holder, if a claim names several; each kind has its own keys. */
  readonly bound?: string;
  /** The holder's key, unique within the kind */
  readonly key: string;
  readonly max: number;
}

export type Slots = ReturnType<typeof createSlots>;

/** The slots of one holder; removed when there are none. */
interface Holder {
  held: number;
  readonly key: string;
  readonly ofKind: Map<string, Holder>;
}

/** Limits concurrent work in this process. Nothing queues: a caller without a slot is refused at once. */
export function createSlots() {
  /** Holders by kind. It contains only holders with slots, so its size is bounded by the running work. */
  const holders = new Map<string, Map<string, Holder>>();

  function holderOf({ bound = '', key }: SlotClaim): Holder {
    let ofKind = holders.get(bound);
    if (!ofKind) {
      ofKind = new Map();
      holders.set(bound, ofKind);
    }
    return ofKind.get(key) ?? { held: 0, key, ofKind };
  }

  function give(taken: readonly Holder[]): void {
    for (const holder of taken) {
      holder.held -= 1;
      if (holder.held === 0) holder.ofKind.delete(holder.key);
    }
  }

  return {
    /** Returns the first claim whose holder has no slot left; undefined if all slots are available. */
    findFull: <Claim extends SlotClaim>(claims: readonly Claim[]): Claim | undefined =>
      claims.find((claim) => holderOf(claim).held >= claim.max),
    /**
     * Takes a slot for each claim, or none at all.
     * @returns a function that releases them, safe to call repeatedly; undefined if one of the holders has no slot left
     */
    take(claims: readonly SlotClaim[]): (() => void) | undefined {
      const taken: Holder[] = [];
      for (const claim of claims) {
        const holder = holderOf(claim);
        if (holder.held >= claim.max) {
          give(taken);
          return undefined;
        }
        if (holder.held === 0) holder.ofKind.set(holder.key, holder);
        holder.held += 1;
        taken.push(holder);
      }
      let isHeld = true;
      return () => {
        if (isHeld) give(taken);
        isHeld = false;
      };
    },
  };
}
