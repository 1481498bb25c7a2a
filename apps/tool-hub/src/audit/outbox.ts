import type { OrganizationId } from '@legate/ids';
import type { ShareRule } from '@legate/rate-limit';

/**
 * Kinds of events: executed calls, and refusals. Each has separate limits, so that a flood of refused calls never
 * displaces an executed call.
 */
export type Lane = 'done' | 'refusals';

export const LANES: readonly Lane[] = ['done', 'refusals'];

/** An event as JSON text, with the data that decide whether there is room for it. */
export interface WaitingEvent {
  readonly json: string;
  readonly organizationId: OrganizationId;
  readonly lane: Lane;
  /** Room reserved in advance; released when the event is stored or finally lost */
  readonly reservation?: Reservation | undefined;
}

export interface Reservation {
  /** Releases the room. Calling it again has no effect. */
  release(): void;
}

/** Stores events until management-api has them: after `add`, each is delivered at least once, or counted as lost. */
export interface Outbox {
  /** Adds events, without waiting or throwing. */
  add(events: readonly WaitingEvent[]): void;
  /** Reserves room for the event of a call before it runs. @returns undefined if there is no room */
  reserve(organizationId: OrganizationId): Reservation | undefined;
  /**
   * Delivers as many events as it can within the given milliseconds; another process delivers the events that remain in
   * Redis.
   */
  close(withinMs: number): Promise<void>;
  /** Returns the number and size of waiting events. Events in Redis are the same for all processes. */
  backlog(): Promise<Backlog>;
}

export interface Backlog {
  readonly events: number;
  /** Epoch milliseconds of the oldest event; undefined: no event waits. */
  readonly oldestMs: number | undefined;
  readonly fills: readonly Fill[];
}

/** Usage of one lane, in memory or in Redis */
export interface Fill {
  readonly place: 'redis' | 'memory';
  readonly lane: Lane;
  readonly bytes: number;
  readonly maxBytes: number;
}

/** Limits of both lanes, in memory or in Redis */
export type LaneBounds = Readonly<Record<Lane, ShareRule>>;

/** Returns the limits of both lanes: three quarters of the space are for executed calls. */
export const laneBounds = (rule: ShareRule): LaneBounds => ({
  done: { ...rule, maxBytes: Math.floor(rule.maxBytes * 0.75) },
  refusals: { ...rule, maxBytes: Math.floor(rule.maxBytes * 0.25) },
});

/** Overhead in bytes of an event in Redis or in an array. */
export const EVENT_OVERHEAD_BYTES = 100;

export const sizeOf = (json: string): number => Buffer.byteLength(json) + EVENT_OVERHEAD_BYTES;

/** Maximum events per request: at most 3 KB each, so that they fit into 1 MiB. */
export const BATCH_SIZE = 200;

/** Events to be delivered together, which remain stored until then. */
export interface Batch {
  readonly events: readonly string[];
  /** Removes the events from the store after their delivery. */
  done(): Promise<void>;
}

/** @returns undefined if no event waits */
export type TakeBatch = () => Promise<Batch | undefined>;

/** Takes batches from the sources in turn, so that none waits until another is empty. */
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
 * Results of a delivery, for metrics: `deferred` events wait in this process because Redis is down or full;
 * `unreadable` events cannot be decrypted, and are set aside.
 */
export type DeliveryResult = 'delivered' | 'refused' | 'deferred' | 'dropped' | 'unreadable';
export type OnDeliveryResult = (result: DeliveryResult, count: number) => void;
