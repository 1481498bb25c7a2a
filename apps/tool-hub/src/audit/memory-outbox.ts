import type { Logger } from '@legate/service';
import { type Deliver, type Pace, startDeliveryLoop } from './delivery-loop.ts';
import { BATCH_SIZE, type OnFate, type Outbox } from './outbox.ts';

/**
 * Events in this process, gone with it: for a hub without Redis, and for the time in which Redis is away.
 * @param deps.maxEvents what comes when so many wait is dropped, counted, and told of once
 */
export function createMemoryOutbox(deps: {
  deliver: Deliver;
  maxEvents: number;
  pace: Pace;
  onFate: OnFate;
  log: Logger;
}): Outbox {
  const { maxEvents, onFate, log } = deps;
  let waiting: string[] = [];
  let isOverflowing = false;

  const loop = startDeliveryLoop({
    ...deps,
    take: async () => {
      if (waiting.length === 0) return undefined;
      const events = waiting.slice(0, BATCH_SIZE);
      return {
        events,
        done: async () => {
          waiting = waiting.slice(events.length);
          isOverflowing = false;
        },
      };
    },
  });

  return {
    add(events) {
      const room = Math.max(0, maxEvents - waiting.length);
      waiting.push(...events.slice(0, room));
      const dropped = events.length - room;
      if (dropped <= 0) return;
      onFate('dropped', dropped);
      if (!isOverflowing) log.error({ max: maxEvents }, 'audit events are lost: too many wait for delivery');
      isOverflowing = true;
    },
    async backlog() {
      const [oldest] = waiting;
      return { events: waiting.length, oldestMs: oldest === undefined ? undefined : occurredAtMs(oldest) };
    },
    async close(withinMs) {
      await loop.stop(withinMs);
      if (waiting.length === 0) return;
      onFate('dropped', waiting.length);
      log.error(
        { count: waiting.length },
        'audit events are lost: they could not be delivered before the end',
      );
    },
  };
}

/** Events are our own JSON; one without a time has none to be late by. */
function occurredAtMs(event: string): number | undefined {
  const time = /"occurred_at":"([^"]+)"/.exec(event)?.[1];
  return time === undefined ? undefined : Date.parse(time);
}
