import { randomUUID } from 'node:crypto';
import type { ShareRule } from '@legate/rate-limit';
import type { RedisClient } from '@legate/secure-store';
import { z } from 'zod';
import { ADD_EVENTS, REMOVE_EVENTS } from './lane-stream-scripts.ts';
import { BATCH_SIZE, type Lane, sizeOf, type TakeBatch, type WaitingEvent } from './outbox.ts';

/** One group over all replicas: an event is read by one of them. */
const GROUP = 'hubs';
/** An entry that a replica has read and not acknowledged for so long is another one's: it died, or nobody answers it. */
const ABANDONED_MS = 60_000;

/** Id and fields of an entry; null where it was removed after it had been read. */
const Entry = z.tuple([z.string(), z.array(z.string()).nullable()]);
type Entry = z.output<typeof Entry>;
const Read = z.array(z.tuple([z.string(), z.array(Entry)])).nullable();
const Claimed = z.tuple([z.string(), z.array(Entry)]).rest(z.unknown());
/** The bytes that wait now, then the places of the events that had no room */
const Added = z.tuple([z.number()]).rest(z.number());

/**
 * The events of one lane in a Redis stream, and how many bytes of them each organization has, in a hash beside it. Both
 * keys have the same hash tag, since a script changes them together.
 */
export interface LaneStream {
  /** @returns those for which the organization has no room. @throws {Error} Redis did not take them, or did not answer */
  add(events: readonly WaitingEvent[], bound: ShareRule): Promise<readonly WaitingEvent[]>;
  /** Reads as a consumer of its own: what nobody has read yet, and what others have left behind. */
  readonly take: TakeBatch;
  /** Nothing while Redis cannot be asked. */
  backlog(): Promise<{ events: number; bytes: number; oldestMs: number | undefined }>;
  /** Leaves nothing behind in Redis of a process that ends in order. */
  leave(): Promise<void>;
}

export const streamOf = (lane: Lane): string => `{audit}:${lane}`;

/** Where hubs before these lanes wrote their events; read until it is empty. */
export const FORMER_STREAM = 'audit';

export function createLaneStream(deps: {
  redis: RedisClient;
  stream: string;
  abandonedMs?: number;
}): LaneStream {
  const { redis, stream, abandonedMs = ABANDONED_MS } = deps;
  const bytesKey = `${stream}:bytes`;
  const consumer = randomUUID();
  const isFormer = stream === FORMER_STREAM;

  async function read(): Promise<readonly Entry[]> {
    const answer = await redis.xreadgroup(
      'GROUP',
      GROUP,
      consumer,
      'COUNT',
      BATCH_SIZE,
      'STREAMS',
      stream,
      '>',
    );
    const [own] = Read.parse(answer) ?? [];
    return own?.[1] ?? [];
  }

  async function claim(): Promise<readonly Entry[]> {
    const answer = await redis.xautoclaim(stream, GROUP, consumer, abandonedMs, '0', 'COUNT', BATCH_SIZE);
    return Claimed.parse(answer)[1];
  }

  async function find(): Promise<readonly Entry[]> {
    const unread = await read();
    return unread.length > 0 ? unread : claim();
  }

  /** From the beginning: what was written before the group was there has not been read either. */
  async function findWithoutGroup(err: unknown): Promise<readonly Entry[]> {
    if (!isMissingGroup(err)) throw err;
    if (isFormer && (await redis.exists(stream)) === 0) return [];
    await redis.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM').catch(unlessBusy);
    return find();
  }

  async function done(entries: readonly Entry[]): Promise<void> {
    const removed = entries.flatMap(([id, fields]) => [
      id,
      fieldOf(fields, 'organization') ?? '',
      sizeOf(fieldOf(fields, 'event') ?? ''),
    ]);
    if (!isFormer) {
      await redis.eval(REMOVE_EVENTS, 2, stream, bytesKey, GROUP, ...removed);
      return;
    }
    const ids = entries.map(([id]) => id);
    await redis.xack(stream, GROUP, ...ids);
    await redis.xdel(stream, ...ids);
  }

  return {
    async add(events, { maxBytes, sharePercent }) {
      const values = events.flatMap(({ json, organizationId }) => [organizationId, json, sizeOf(json)]);
      const answer = await redis.eval(ADD_EVENTS, 2, stream, bytesKey, maxBytes, sharePercent, ...values);
      const [, ...places] = Added.parse(answer);
      return places.flatMap((place) => events[place] ?? []);
    },
    async take() {
      const entries = await find().catch(findWithoutGroup);
      if (entries.length === 0) return undefined;
      const events = entries.flatMap(([, fields]) => fieldOf(fields, 'event') ?? []);
      return { events, done: () => done(entries) };
    },
    async backlog() {
      const [events, bytes, [oldest]] = await Promise.all([
        redis.xlen(stream),
        redis.hget(bytesKey, TOTAL),
        redis.xrange(stream, '-', '+', 'COUNT', 1),
      ]).catch(() => [0, null, []] as const);
      // An entry's id begins with the time at which it was added.
      return { events, bytes: Number(bytes ?? 0), oldestMs: oldest && Number(oldest[0].split('-')[0]) };
    },
    async leave() {
      const pending = await redis.xpending(stream, GROUP, '-', '+', 1, consumer).catch(() => []);
      // Deleting a consumer forgets what it has read and not acknowledged.
      if (pending.length === 0)
        await redis.xgroup('DELCONSUMER', stream, GROUP, consumer).catch(() => undefined);
    },
  };
}

/** The field of the hash with the bytes of all; an organization's has `of:` in front. */
const TOTAL = 'total';

function fieldOf(fields: readonly string[] | null, name: string): string | undefined {
  const at = fields?.findIndex((field, index) => index % 2 === 0 && field === name) ?? -1;
  return at < 0 ? undefined : fields?.[at + 1];
}

const isMissingGroup = (err: unknown): boolean => err instanceof Error && err.message.startsWith('NOGROUP');

function unlessBusy(err: unknown): void {
  if (!(err instanceof Error && err.message.startsWith('BUSYGROUP'))) throw err;
}
