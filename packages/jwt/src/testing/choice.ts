/** Deterministic numbers from 0 up to 1 (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random choices that a seed determines. */
export class Choice {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = numbersFrom(seed);
  }
  below = (end: number): number => Math.floor(this.#next() * end);
  chance = (probability: number): boolean => this.#next() < probability;
  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
  bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => this.below(256)));
}

export type Note = (what: string) => void;
