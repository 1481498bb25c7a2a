import { randomUUID } from 'node:crypto';
import type { RedisClient } from '@legate/secure-store';
import { z } from 'zod';
import { BATCH_SIZE } from './outbox.ts';

/** Consumer group of all replicas: each event is read by one of them. */
export const GROUP = 'hubs';
/**
 * Milliseconds after which another replica takes over an entry that was read but not acknowledged: its reader died, or
 * gets no response.
 */
const ABANDONED_MS = 60_000;

/** An entry of a stream; without fields if it was removed after it had been read. */
export interface StreamEntry {
  readonly id: string;
  readonly fields: ReadonlyMap<string, Buffer>;
}

const Bytes = z.instanceof(Buffer);
const Entry = z
  .tuple([Bytes, z.array(Bytes).nullable()])
  .transform(([id, fields]): StreamEntry => ({ id: id.toString(), fields: fieldsOf(fields ?? []) }));
const Read = z.array(z.tuple([Bytes, z.array(Entry)])).nullable();
const Claimed = z.tuple([Bytes, z.array(Entry)]).rest(z.unknown());

/** Reads a stream as a separate consumer: unread entries, and entries that other consumers did not acknowledge. */
export type StreamReader = ReturnType<typeof createStreamReader>;

export function createStreamReader(deps: {
  redis: RedisClient;
  stream: string;
  abandonedMs?: number | undefined;
}) {
  const { redis, stream, abandonedMs = ABANDONED_MS } = deps;
  const consumer = randomUUID();

  async function unread(): Promise<readonly StreamEntry[]> {
    const answer = await redis.xreadgroupBuffer(
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

  async function claim(): Promise<readonly StreamEntry[]> {
    const answer = await redis.callBuffer(
      'xautoclaim',
      stream,
      GROUP,
      consumer,
      abandonedMs,
      '0',
      'COUNT',
      BATCH_SIZE,
    );
    return Claimed.parse(answer)[1];
  }

  async function find(): Promise<readonly StreamEntry[]> {
    const entries = await unread();
    return entries.length > 0 ? entries : claim();
  }

  /**
   * Creates the group at the beginning of the stream: entries that are older than the group have not been read either.
   */
  async function findWithoutGroup(err: unknown): Promise<readonly StreamEntry[]> {
    if (!isMissingGroup(err)) throw err;
    await redis.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM').catch(unlessBusy);
    return find();
  }

  return {
    /** Returns at most one batch. Another reader takes over the entries after a minute unless they are removed. */
    read: (): Promise<readonly StreamEntry[]> => find().catch(findWithoutGroup),
    /** Returns the number of entries and the time of the oldest. @throws {Error} Redis is unavailable */
    async waiting(): Promise<{ entries: number; oldestMs: number | undefined }> {
      const [entries, [oldest]] = await Promise.all([
        redis.xlen(stream),
        redis.xrange(stream, '-', '+', 'COUNT', 1),
      ]);
      // An entry's id begins with the time at which it was added.
      return { entries, oldestMs: oldest && Number(oldest[0].split('-')[0]) };
    },
    /** Removes this process's consumer from Redis at an orderly shutdown. */
    async leave(): Promise<void> {
      const pending = await redis.xpending(stream, GROUP, '-', '+', 1, consumer).catch(() => []);
      // Deleting a consumer would also drop its unacknowledged entries.
      if (pending.length === 0)
        await redis.xgroup('DELCONSUMER', stream, GROUP, consumer).catch(() => undefined);
    },
  };
}

function fieldsOf(flat: readonly Buffer[]): ReadonlyMap<string, Buffer> {
  const fields = new Map<string, Buffer>();
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name, value] = [flat[index], flat[index + 1]];
    if (name && value) fields.set(name.toString(), value);
  }
  return fields;
}

const isMissingGroup = (err: unknown): boolean => err instanceof Error && err.message.startsWith('NOGROUP');

function unlessBusy(err: unknown): void {
  if (!(err instanceof Error && err.message.startsWith('BUSYGROUP'))) throw err;
}
