import type { OrganizationId } from '@legate/ids';
import { createByteShares } from '@legate/rate-limit';
import type { Logger } from '@legate/service';
import { type Deliver, type Pace, startDeliveryLoop } from './delivery-loop.ts';
import {
  BATCH_SIZE,
  type Fill,
  LANES,
  type Lane,
  type LaneBounds,
  type OnDeliveryResult,
  type Outbox,
  sizeOf,
  type TakeBatch,
  takeInTurn,
  type WaitingEvent,
} from './outbox.ts';

/** Bytes reserved for a call: more than any event needs, including its overhead. */
const RESERVED_BYTES = 8192;

/**
 * Stores events in the memory of this process, and loses them when it ends: for a hub without Redis, and for events
 * that Redis cannot store.
 * @param deps.bounds events beyond them are dropped, counted, and reported once
 */
export function createMemoryOutbox(deps: {
  deliver: Deliver;
  bounds: LaneBounds;
  pace: Pace;
  onResult: OnDeliveryResult;
  log: Logger;
}): Outbox {
  const { deliver, bounds, pace, onResult, log } = deps;
  const lanes = { done: createLane(bounds.done), refusals: createLane(bounds.refusals) };
  let isOverflowing = false;
  const loop = startDeliveryLoop({
    deliver,
    pace,
    log,
    take: takeInTurn(
      LANES.map((lane) => async () => {
        const batch = await lanes[lane].take();
        return batch && { ...batch, done: () => batch.done().finally(() => (isOverflowing = false)) };
      }),
    ),
  });

  function drop(count: number): void {
    onResult('dropped', count);
    if (!isOverflowing) log.error('audit events are lost: too many are waiting for delivery');
    isOverflowing = true;
  }

  return {
    add(events) {
      let dropped = 0;
      for (const event of events) {
        event.reservation?.release(); // in the same turn of the event loop, so that no other event takes the room
        if (!lanes[event.lane].add(event)) dropped += 1;
      }
      if (dropped > 0) drop(dropped);
    },
    reserve: (organizationId) => lanes.done.reserve(organizationId),
    async backlog() {
      const oldest = LANES.map((lane) => lanes[lane].oldestMs()).filter((ms) => ms !== undefined);
      return {
        events: lanes.done.count() + lanes.refusals.count(),
        oldestMs: oldest.length > 0 ? Math.min(...oldest) : undefined,
        fills: LANES.map((lane): Fill => {
          const { maxBytes } = bounds[lane];
          return { place: 'memory', lane, bytes: lanes[lane].usedBytes(), maxBytes };
        }),
      };
    },
    async close(withinMs) {
      await loop.stop(withinMs);
      const count = lanes.done.count() + lanes.refusals.count();
      if (count === 0) return;
      onResult('dropped', count);
      log.error({ count }, 'audit events are lost: they could not be delivered before shutdown');
    },
  };
}

function createLane(bound: LaneBounds[Lane]) {
  const shares = createByteShares(bound);
  let waiting: WaitingEvent[] = [];
  const take: TakeBatch = async () => {
    if (waiting.length === 0) return undefined;
    const batch = waiting.slice(0, BATCH_SIZE);
    return {
      events: batch.map(({ json }) => json),
      done: async () => {
        waiting = waiting.slice(batch.length);
        for (const { json, organizationId } of batch) shares.give(organizationId, sizeOf(json));
      },
    };
  };
  return {
    take,
    /** @returns false if there is no room */
    add(event: WaitingEvent): boolean {
      if (!shares.take(event.organizationId, sizeOf(event.json))) return false;
      waiting.push(event);
      return true;
    },
    reserve(organizationId: OrganizationId) {
      if (!shares.take(organizationId, RESERVED_BYTES)) return undefined;
      let isHeld = true;
      return {
        release() {
          if (isHeld) shares.give(organizationId, RESERVED_BYTES);
          isHeld = false;
        },
      };
    },
    count: () => waiting.length,
    usedBytes: () => shares.usedBytes(),
    oldestMs: () => (waiting[0] ? occurredAtMs(waiting[0].json) : undefined),
  };
}

/** Returns the time of an event, which is our own JSON. An event without a time does not count for the age. */
function occurredAtMs(event: string): number | undefined {
  const time = /"occurred_at":"([^"]+)"/.exec(event)?.[1];
  return time === undefined ? undefined : Date.parse(time);
}
