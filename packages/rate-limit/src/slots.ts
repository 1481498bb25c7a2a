/** One slot asked for: of whom, and how many they may hold at a time. */
export interface SlotClaim {
  /** What kind of holder it is, where a claim names several; their keys are their own. */
  readonly bound?: string;
  /** Unlike for different holders of the kind */
  readonly key: string;
  readonly max: number;
}

export interface Slots {
  /**
   * Takes a slot for each claim, or none at all.
   * @returns gives them back, however often it is called; undefined: one of the holders has no slot left
   */
  take(claims: readonly SlotClaim[]): (() => void) | undefined;
  /** The first claim whose holder has no slot left; undefined: all could be taken. */
  findFull<Claim extends SlotClaim>(claims: readonly Claim[]): Claim | undefined;
}

/** Counts what runs at the same time, in this process. Nothing queues: a caller without a slot is refused at once. */
export function createSlots(): Slots {
  /** By kind: only holders that hold some, so that it grows no further than what runs. */
  const held = new Map<string, Map<string, number>>();

  function heldOf({ bound = '' }: SlotClaim): Map<string, number> {
    let ofKind = held.get(bound);
    if (!ofKind) {
      ofKind = new Map();
      held.set(bound, ofKind);
    }
    return ofKind;
  }
  const isFull = (claim: SlotClaim): boolean => (heldOf(claim).get(claim.key) ?? 0) >= claim.max;

  return {
    findFull: (claims) => claims.find(isFull),
    take(claims) {
      for (const claim of claims) if (isFull(claim)) return undefined;
      for (const claim of claims) {
        const ofKind = heldOf(claim);
        ofKind.set(claim.key, (ofKind.get(claim.key) ?? 0) + 1);
      }
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const claim of claims) {
          const ofKind = heldOf(claim);
          const left = (ofKind.get(claim.key) ?? 1) - 1;
          if (left > 0) ofKind.set(claim.key, left);
          else ofKind.delete(claim.key);
        }
      };
    },
  };
}
