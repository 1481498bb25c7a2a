/** Counts the bytes that a response occupies, and limits them. */
export interface Memory {
  /** Counts bytes before they are stored. Returns false, and counts nothing, if there is no room. */
  take(bytes: number): boolean;
  /** Releases bytes that are no longer stored. */
  give(bytes: number): void;
}
