/** An undelivered audit event, kept until an operator has fixed the cause and replays it. */
export interface KeptEvent {
  /** The entry's, by which it is removed */
  readonly id: string;
  /** As it was sent; undefined if no known key decrypts it */
  readonly event: string | undefined;
}

export interface KeptEvents {
  /** Returns up to `count` entries behind the entry `after`, the oldest first. */
  read(after: string | undefined, count: number): Promise<readonly KeptEvent[]>;
  remove(ids: readonly string[]): Promise<void>;
}

/** Returns the start of a read that continues after an entry. */
export const startBehind = (after: string | undefined): string => (after === undefined ? '-' : `(${after}`);

/** The value of a field, in an entry as Redis lists it: names and values in turn. */
export function fieldOf(fields: readonly Buffer[], name: string): Buffer | undefined {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field.toString() === name);
  return at < 0 ? undefined : fields[at + 1];
}
