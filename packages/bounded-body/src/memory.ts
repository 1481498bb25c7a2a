/** Counts the bytes that a response occupies, and limits them. */
export interface Memory {
  /** Counts bytes before they are kept. Returns false, counting nothing, if there is no room. */
  take(bytes: number): boolean;
  /** Releases bytes that are no longer kept. */
  give(bytes: number): void;
}
