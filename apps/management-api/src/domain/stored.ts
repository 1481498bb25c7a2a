/** A thing as it is stored at a moment. */
export interface Stored<Thing> {
  readonly value: Thing;
  /**
   * Different for every state of the thing. It goes out as `ETag`, and comes back as `If-Match` with a change made of
   * this state. Equal or not is all that it says: it is no number, and not ordered.
   */
  readonly version: string;
}

/** Compares the version of a thing with the one that the caller knows. @throws {Problem} 412 `version_mismatch` */
export type VersionCheck = (version: string) => void;
