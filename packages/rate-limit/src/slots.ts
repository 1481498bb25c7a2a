/** One slot asked for: of whom, and how many they may hold at a time. */
export interface SlotClaim {
  /** Unlike for different holders: `org:org_acme`, `user:…` */
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
  /** Only holders that hold some, so that it grows no further than what runs. */
  const held = new Map<string, number>();
  const isFull = ({ key, max }: SlotClaim): boolean => (held.get(key) ?? 0) >= max;
  return {
    findFull: (claims) => claims.find(isFull),
    take(claims) {
      if (claims.some(isFull)) return undefined;
      for (const { key } of claims) held.set(key, (held.get(key) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const { key } of claims) {
          const left = (held.get(key) ?? 1) - 1;
          if (left > 0) held.set(key, left);
          else held.delete(key);
        }
      };
    },
  };
}
