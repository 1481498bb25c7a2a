/** Events on their way to management-api, as JSON text: from `add` on they are delivered at least once, or counted as lost. */
export interface Outbox {
  /** Neither waits nor throws. */
  add(events: readonly string[]): void;
  /** Delivers what it still can in so many milliseconds; what a store keeps is delivered by another process. */
  close(withinMs: number): Promise<void>;
  /** How much waits, as far as is known here: what a store keeps is the same for all processes. */
  backlog(): Promise<Backlog>;
}

export interface Backlog {
  readonly events: number;
  /** Epoch milliseconds of the oldest; undefined: nothing waits. */
  readonly oldestMs: number | undefined;
}

/** In one request; of 3 KB at most each, so that 1 MiB always suffices. */
export const BATCH_SIZE = 200;

/** Events that are to be delivered together, and are there until they have been. */
export interface Batch {
  readonly events: readonly string[];
  /** They have been delivered. */
  done(): Promise<void>;
}

/** @returns undefined when there is nothing to deliver */
export type TakeBatch = () => Promise<Batch | undefined>;

/** What becomes of events, for metrics: `deferred` ones wait in this process because Redis is away. */
export type EventFate = 'delivered' | 'refused' | 'deferred' | 'dropped';
export type OnFate = (fate: EventFate, count: number) => void;
