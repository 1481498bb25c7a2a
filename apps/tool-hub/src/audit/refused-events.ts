import type { EncryptionKeys, RedisClient } from '@legate/secure-store';
import { createEventSeal } from './event-seal.ts';
import { fieldOf, type KeptEvents, startBehind } from './kept-events.ts';

/** The audit events of a deployment that management-api did not take; why is in the log, and said again by a replay. */
export interface RefusedEvents extends KeptEvents {
  /** Keeps an event; beyond `MAX_REFUSED_EVENTS` the oldest go. */
  keep(event: string): Promise<void>;
}

/** In the hub's Redis, under `REDIS_KEY_PREFIX` */
const STREAM = 'audit:refused';
/** 1.5 KB each */
export const MAX_REFUSED_EVENTS = 10_000;

export function createRefusedEvents(deps: { redis: RedisClient; keys: EncryptionKeys }): RefusedEvents {
  const { redis } = deps;
  const { seal, open } = createEventSeal(deps.keys, STREAM);
  return {
    async keep(event) {
      await redis.xadd(STREAM, 'MAXLEN', '~', MAX_REFUSED_EVENTS, '*', 'sealed', seal('', event));
    },
    async read(after, count) {
      const entries = await redis.xrangeBuffer(STREAM, startBehind(after), '+', 'COUNT', count);
      return entries.map(([id, fields]) => {
        const sealed = fieldOf(fields, 'sealed');
        // Earlier versions kept them in the clear.
        const event = sealed ? open('', sealed) : fieldOf(fields, 'event')?.toString();
        return { id: id.toString(), event };
      });
    },
    async remove(ids) {
      if (ids.length > 0) await redis.xdel(STREAM, ...ids);
    },
  };
}
