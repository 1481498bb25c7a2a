import type { EncryptionKeys, RedisClient } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { type Deliver, type Pace, startDeliveryLoop } from './delivery-loop.ts';
import { createLaneStream, streamOf } from './lane-stream.ts';
import {
  type Fill,
  LANES,
  type Lane,
  type LaneBounds,
  type OnDeliveryResult,
  type Outbox,
  takeInTurn,
  type WaitingEvent,
} from './outbox.ts';

/**
 * Stores events in Redis streams, one for each lane. The events outlive the process, and any replica delivers them.
 * Each is encrypted, so that Redis contains only its organization and size in plain text. An entry is deleted once
 * management-api has its event, so a stream contains only waiting events.
 * @param deps.fallback stores the events that Redis cannot, because it is down or `bounds` leave no room
 */
export function createStreamOutbox(deps: {
  redis: RedisClient;
  keys: EncryptionKeys;
  fallback: Outbox;
  deliver: Deliver;
  bounds: LaneBounds;
  pace: Pace;
  onResult: OnDeliveryResult;
  log: Logger;
  abandonedMs?: number;
}): Outbox {
  const { redis, keys, fallback, deliver, bounds, pace, onResult, log, abandonedMs } = deps;
  const open = (lane: Lane) =>
    createLaneStream({ redis, keys, stream: streamOf(lane), onSetAside, abandonedMs });
  const streams = { done: open('done'), refusals: open('refusals') };
  const sources = [streams.done, streams.refusals];
  const writes = new Set<Promise<void>>();
  let isFull = false;
  let isToldOfUnreadable = false;
  const loop = startDeliveryLoop({
    take: takeInTurn(sources.map(({ take }) => take)),
    deliver,
    pace,
    log,
  });

  function onSetAside(count: number): void {
    onResult('unreadable', count);
    if (!isToldOfUnreadable) log.error('audit events cannot be decrypted and are set aside');
    isToldOfUnreadable = true; // later ones are only counted by the metric
  }

  async function write(lane: Lane, events: readonly WaitingEvent[]): Promise<void> {
    try {
      const left = await streams[lane].add(events, bounds[lane]);
      if (left.length > 0 && !isFull)
        log.warn({ lane }, 'audit events are waiting in memory: their space in Redis is full');
      isFull = left.length > 0;
      defer(left);
      for (const event of events) event.reservation?.release();
    } catch {
      // If only the response of Redis was lost, the event is in the stream too. It is then delivered twice, and
      // management-api recognizes the duplicate.
      defer(events);
    }
  }

  function defer(events: readonly WaitingEvent[]): void {
    if (events.length === 0) return;
    onResult('deferred', events.length);
    fallback.add(events);
  }

  return {
    add(events) {
      if (redis.status !== 'ready') return defer(events);
      for (const lane of LANES) {
        const own = events.filter((event) => event.lane === lane);
        if (own.length === 0) continue;
        const writing = write(lane, own).finally(() => writes.delete(writing));
        writes.add(writing);
      }
    },
    // Reserved in memory: whether Redis has room is known only after a request, and events that it refuses are stored
    // in memory.
    reserve: (organizationId) => fallback.reserve(organizationId),
    async backlog() {
      const [own, kept] = await Promise.all([
        fallback.backlog(),
        Promise.all(LANES.map((lane) => streams[lane].backlog())),
      ]);
      const all = [own, ...kept];
      const oldest = all.map(({ oldestMs }) => oldestMs).filter((ms) => ms !== undefined);
      return {
        events: all.reduce((sum, { events }) => sum + events, 0),
        oldestMs: oldest.length > 0 ? Math.min(...oldest) : undefined,
        fills: [
          ...LANES.map((lane, index): Fill => {
            const { maxBytes } = bounds[lane];
            return { place: 'redis', lane, bytes: kept[index]?.bytes ?? 0, maxBytes };
          }),
          ...own.fills,
        ],
      };
    },
    async close(withinMs) {
      await Promise.all(writes);
      await Promise.all([loop.stop(withinMs), fallback.close(withinMs)]);
      await Promise.all(sources.map((source) => source.leave()));
    },
  };
}
