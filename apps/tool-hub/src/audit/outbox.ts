import type { OrganizationId } from '@legate/ids';
import type { ShareRule } from '@legate/rate-limit';

/**
 * What has been done, and what has been refused. Each has bounds of its own, so that a flood of refused calls never takes
 * the place of a call that was carried out.
 */
export type Lane = 'done' | 'refusals';

export const LANES: readonly Lane[] = ['done', 'refusals'];

/** An event as JSON text, with what decides whether there is room for it. */
export interface WaitingEvent {
  readonly json: string;
  readonly organizationId: OrganizationId;
  readonly lane: Lane;
  /** Room that was reserved for it beforehand; released when the event is kept, or finally lost */
  readonly reservation?: Reservation | undefined;
}

export interface Reservation {
  /** Releasing it again changes nothing. */
  release(): void;
}

/** Events on their way to management-api: from `add` on they are delivered at least once, or counted as lost. */
export interface Outbox {
  /** Neither waits nor throws. */
  add(events: readonly WaitingEvent[]): void;
  /** Reserves room for the event of a call before it is carried out. @returns undefined where there is none */
  reserve(organizationId: OrganizationId): Reservation | undefined;
  /** Delivers what it still can in so many milliseconds; what a store keeps is delivered by another process. */
  close(withinMs: number): Promise<void>;
  /** How much waits, as far as is known here: what a store keeps is the same for all processes. */
  backlog(): Promise<Backlog>;
}

export interface Backlog {
  readonly events: number;
  /** Epoch milliseconds of the oldest; undefined: nothing waits. */
  readonly oldestMs: number | undefined;
  readonly fills: readonly Fill[];
}

/** How full one lane in one place is */
export interface Fill {
  readonly place: 'redis' | 'memory';
  readonly lane: Lane;
  readonly bytes: number;
  readonly maxBytes: number;
}

/** The bounds of the two lanes of one place */
export type LaneBounds = Readonly<Record<Lane, ShareRule>>;

/** Of all that may wait in a place, three quarters are for what has been done. */
export const laneBounds = (rule: ShareRule): LaneBounds => ({
  done: { ...rule, maxBytes: Math.floor(rule.maxBytes * 0.75) },
  refusals: { ...rule, maxBytes: Math.floor(rule.maxBytes * 0.25) },
});

/** What a store or an array adds to each event, in bytes. */
export const EVENT_OVERHEAD_BYTES = 100;

export const sizeOf = (json: string): number => Buffer.byteLength(json) + EVENT_OVERHEAD_BYTES;

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

/** Asks each source in turn, so that none waits until another is empty. */
export function takeInTurn(sources: readonly TakeBatch[]): TakeBatch {
  let next = 0;
  return async () => {
    for (let asked = 0; asked < sources.length; asked += 1) {
      const take = sources[next];
      next = (next + 1) % sources.length;
      const batch = await take?.();
      if (batch) return batch;
    }
    return undefined;
  };
}

/**
 * What becomes of events, for metrics: `deferred` ones wait in this process because Redis is away or has no room;
 * `unreadable` ones cannot be opened, and are set aside.
 */
export type EventFate = 'delivered' | 'refused' | 'deferred' | 'dropped' | 'unreadable';
export type OnFate = (fate: EventFate, count: number) => void;
