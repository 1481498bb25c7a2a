import type { RedisClient } from '@legate/secure-store';

/** An audit event that management-api did not take, as it was sent, and why. */
export interface RefusedEvent {
  /** Of the entry, by which it is removed */
  readonly id: string;
  readonly event: string;
  readonly faults: string;
}

/** The refused events of a deployment, for somebody who looks into them and replays them. */
export interface RefusedEvents {
  /** Keeps an event; beyond `MAX_REFUSED_EVENTS` the oldest go. */
  keep(event: string, faults: string): Promise<void>;
  /** Returns up to `count` entries behind the entry `after`, the oldest first. */
  read(after: string | undefined, count: number): Promise<readonly RefusedEvent[]>;
  remove(ids: readonly string[]): Promise<void>;
}

/** In the Redis of the hub, behind `REDIS_KEY_PREFIX` */
const STREAM = 'audit:refused';
/** 1.5 KB each */
export const MAX_REFUSED_EVENTS = 10_000;

export function createRefusedEvents(redis: RedisClient): RefusedEvents {
  return {
    async keep(event, faults) {
      await redis.xadd(STREAM, 'MAXLEN', '~', MAX_REFUSED_EVENTS, '*', 'event', event, 'faults', faults);
    },
    async read(after, count) {
      const start = after === undefined ? '-' : `(${after}`;
      const entries = await redis.xrange(STREAM, start, '+', 'COUNT', count);
      return entries.map(([id, fields]) => ({
        id,
        event: fields[fields.indexOf('event') + 1] ?? '',
        faults: fields[fields.indexOf('faults') + 1] ?? '',
      }));
    },
    async remove(ids) {
      if (ids.length > 0) await redis.xdel(STREAM, ...ids);
    },
  };
}
