import type { OrganizationId } from '@legate/ids';
import type { ShareRule } from '@legate/rate-limit';

/**
 * Executed calls, and refusals. Each has separate limits, so that a flood of refused calls never displaces an executed
 * call.
 */
export type Lane = 'done' | 'refusals';

export const LANES: readonly Lane[] = ['done', 'refusals'];

/** An event as JSON text, with what decides whether there is room for it. */
export interface WaitingEvent {
  readonly json: string;
  readonly organizationId: OrganizationId;
  readonly lane: Lane;
  /** Room reserved in advance; released when the event is stored, or finally lost */
  readonly reservation?: Reservation | undefined;
}

export interface Reservation {
  /** Releasing it again changes nothing. */
  release(): void;
}

/** Events to be delivered to management-api: after `add` each is delivered at least once, or counted as lost. */
export interface Outbox {
  /** Adds events, without waiting or throwing. */
  add(events: readonly WaitingEvent[]): void;
  /** Reserves room for the event of a call before it runs. @returns undefined if there is none */
  reserve(organizationId: OrganizationId): Reservation | undefined;
  /** Delivers what it can within the given milliseconds; another process delivers what a store keeps. */
  close(withinMs: number): Promise<void>;
  /** The waiting events known here: those in a store are the same for all processes. */
  backlog(): Promise<Backlog>;
}

export interface Backlog {
  readonly events: number;
  /** Epoch milliseconds of the oldest; undefined: nothing waits. */
  readonly oldestMs: number | undefined;
  readonly fills: readonly Fill[];
}

/** Usage of one lane in one place */
export interface Fill {
  readonly place: 'redis' | 'memory';
  readonly lane: Lane;
  readonly bytes: number;
  readonly maxBytes: number;
}

/** The bounds of the two lanes of one place */
export type LaneBounds = Readonly<Record<Lane, ShareRule>>;

/** Three quarters of the space in each place are for executed calls. */
export const laneBounds = (rule: ShareRule): LaneBounds => ({
  done: { ...rule, maxBytes: Math.floor(rule.maxBytes * 0.75) },
  refusals: { ...rule, maxBytes: Math.floor(rule.maxBytes * 0.25) },
});

/** Overhead of a store or an array for each event, in bytes. */
export const EVENT_OVERHEAD_BYTES = 100;

export const sizeOf = (json: string): number => Buffer.byteLength(json) + EVENT_OVERHEAD_BYTES;

/** Events per request; at most 3 KB each, so that 1 MiB always suffices. */
export const BATCH_SIZE = 200;

/** Events to be delivered together, which remain stored until then. */
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
 * What becomes of an event, for metrics: `deferred` ones wait in this process because Redis is down or full; `unreadable` ones
 * cannot be decrypted, and are set aside.
 */
export type DeliveryResult = 'delivered' | 'refused' | 'deferred' | 'dropped' | 'unreadable';
export type OnDeliveryResult = (result: DeliveryResult, count: number) => void;
