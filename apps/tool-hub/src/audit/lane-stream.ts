import type { ShareRule } from '@legate/rate-limit';
import type { EncryptionKeys, RedisClient } from '@legate/secure-store';
import { z } from 'zod';
import { createEventSeal } from './event-seal.ts';
import { MAX_UNREADABLE_EVENTS, UNREADABLE_STREAM } from './kept-events.ts';
import { ADD_EVENTS, REMOVE_EVENTS, SET_ASIDE } from './lane-stream-scripts.ts';
import { EVENT_OVERHEAD_BYTES, type Lane, type WaitingEvent } from './outbox.ts';
import { createStreamReader, GROUP, type StreamEntry } from './stream-reader.ts';

/** The waiting bytes, then the indexes of the events without room */
const Added = z.tuple([z.number()]).rest(z.number());

/** Redis key of a lane's stream, under `REDIS_KEY_PREFIX` */
export const streamOf = (lane: Lane): string => `{audit}:sealed:${lane}`;

/**
 * Stores the events of one lane in a Redis stream, each encrypted, and the bytes of each organization in a hash. All
 * keys have the same hash tag, because a script changes them together.
 * @param deps.onSetAside called with the number of undecryptable events of a batch
 */
export function createLaneStream(deps: {
  redis: RedisClient;
  keys: EncryptionKeys;
  stream: string;
  onSetAside: (count: number) => void;
  abandonedMs?: number | undefined;
}) {
  const { redis, keys, stream, onSetAside, abandonedMs } = deps;
  const bytesKey = `${stream}:bytes`;
  const { seal, open } = createEventSeal(keys, stream);
  const reader = createStreamReader({ redis, stream, abandonedMs });

  async function settle(
    delivered: readonly StreamEntry[],
    unreadable: readonly StreamEntry[],
  ): Promise<void> {
    if (delivered.length > 0) {
      const values = delivered.flatMap((entry) => [entry.id, organizationOf(entry), sizeOf(sealedOf(entry))]);
      await redis.eval(REMOVE_EVENTS, 2, stream, bytesKey, GROUP, ...values);
    }
    if (unreadable.length === 0) return;
    const values = unreadable.flatMap((entry) => {
      const sealed = sealedOf(entry);
      return [entry.id, organizationOf(entry), sizeOf(sealed), sealed];
    });
    const bound = [GROUP, MAX_UNREADABLE_EVENTS, stream];
    await redis.eval(SET_ASIDE, 3, stream, bytesKey, UNREADABLE_STREAM, ...bound, ...values);
    onSetAside(unreadable.length);
  }

  return {
    /**
     * @returns the events for which the organization has no room. @throws {Error} Redis refused the events, or did not
     * respond
     */
    async add(
      events: readonly WaitingEvent[],
      { maxBytes, sharePercent }: ShareRule,
    ): Promise<readonly WaitingEvent[]> {
      const values = events.flatMap(({ json, organizationId }) => {
        const sealed = seal(organizationId, json);
        return [organizationId, sealed, sizeOf(sealed)];
      });
      const answer = await redis.eval(ADD_EVENTS, 2, stream, bytesKey, maxBytes, sharePercent, ...values);
      const [, ...places] = Added.parse(answer);
      return places.flatMap((place) => events[place] ?? []);
    },
    /** Reads a batch. Events that cannot be decrypted are not in it; they are set aside when the batch is done. */
    async take() {
      const entries = await reader.read();
      if (entries.length === 0) return undefined;
      const events: string[] = [];
      const delivered: StreamEntry[] = [];
      const unreadable: StreamEntry[] = [];
      for (const entry of entries) {
        const event = open(organizationOf(entry), sealedOf(entry));
        if (event !== undefined) events.push(event);
        // An entry without fields was removed meanwhile, so it is not set aside.
        const isThere = event !== undefined || entry.fields.size === 0;
        (isThere ? delivered : unreadable).push(entry);
      }
      return { events, done: () => settle(delivered, unreadable) };
    },
    /** Returns what waits in the stream; nothing while Redis is unavailable. */
    async backlog(): Promise<{ events: number; bytes: number; oldestMs: number | undefined }> {
      const [{ entries, oldestMs }, bytes] = await Promise.all([
        reader.waiting(),
        redis.hget(bytesKey, TOTAL),
      ]).catch(() => [{ entries: 0, oldestMs: undefined }, null] as const);
      return { events: entries, bytes: Number(bytes ?? 0), oldestMs };
    },
    /** Removes this process's consumer from Redis at an orderly shutdown. */
    leave: reader.leave,
  };
}

/** Field of the hash with the sum of all bytes; the field of an organization begins with `of:`. */
const TOTAL = 'total';

const sizeOf = (sealed: Buffer): number => sealed.length + EVENT_OVERHEAD_BYTES;

const NOTHING = Buffer.alloc(0);
const sealedOf = ({ fields }: StreamEntry): Buffer => fields.get('sealed') ?? NOTHING;
const organizationOf = ({ fields }: StreamEntry): string => fields.get('organization')?.toString() ?? '';
