import type { EncryptionKeys, RedisClient } from '@legate/secure-store';
import { createEventSeal } from './event-seal.ts';
import { fieldOf, type KeptEvents, startBehind } from './kept-events.ts';

/**
 * Stream for events that a hub cannot decrypt (`SET_ASIDE`): encrypted with a missing key, or altered. They stay
 * encrypted, and can be replayed when the key is available again.
 */
export const UNREADABLE_STREAM = '{audit}:unreadable';
/** 1.2 KB each; beyond it the oldest go. */
export const MAX_UNREADABLE_EVENTS = 10_000;

export function createUnreadableEvents(deps: { redis: RedisClient; keys: EncryptionKeys }): KeptEvents {
  const { redis, keys } = deps;
  return {
    async read(after, count) {
      const entries = await redis.xrangeBuffer(UNREADABLE_STREAM, startBehind(after), '+', 'COUNT', count);
      return entries.map(([id, fields]) => {
        const [sealed, organization, stream] = ['sealed', 'organization', 'stream'].map((name) =>
          fieldOf(fields, name),
        );
        const seal = createEventSeal(keys, stream?.toString() ?? '');
        return { id: id.toString(), event: sealed && seal.open(organization?.toString() ?? '', sealed) };
      });
    },
    async remove(ids) {
      if (ids.length > 0) await redis.xdel(UNREADABLE_STREAM, ...ids);
    },
  };
}
