import { randomUUID } from 'node:crypto';
import type { RedisClient } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { type Deliver, type Pace, startDeliveryLoop } from './delivery-loop.ts';
import { BATCH_SIZE, type Backlog, type Batch, type OnFate, type Outbox } from './outbox.ts';

/** One group over all replicas: an event is read by one of them. */
const GROUP = 'hubs';
const FIELD = 'event';
/** An entry that a replica has read and not acknowledged for so long is another one's: it died, or nobody answers it. */
const ABANDONED_MS = 60_000;

/** Id and fields of an entry; null where it was trimmed away after it had been read. */
type Entry = readonly [id: string, fields: readonly string[] | null];

/**
 * Events in a Redis stream: they outlive the process, and any replica delivers them. An entry is deleted once
 * management-api has its event, so the stream is empty but for what waits.
 * @param deps.fallback takes what the stream cannot
 * @param deps.maxEvents about as many wait at most; of more, the oldest are lost, counted, and told of once
 */
export function createStreamOutbox(deps: {
  redis: RedisClient;
  fallback: Outbox;
  deliver: Deliver;
  maxEvents: number;
  pace: Pace;
  onFate: OnFate;
  log: Logger;
  abandonedMs?: number;
}): Outbox {
  const { redis, fallback, maxEvents, onFate, log } = deps;
  const writes = new Set<Promise<void>>();
  let isOverflowing = false;
  const source = createStreamSource(deps);
  const loop = startDeliveryLoop({ ...deps, take: source.take });

  async function write(events: readonly string[]): Promise<void> {
    const pipeline = redis.pipeline();
    for (const event of events) pipeline.xadd(STREAM, 'MAXLEN', '~', maxEvents, '*', FIELD, event);
    pipeline.xlen(STREAM);
    const results = await pipeline.exec().catch(() => null);
    // One whose answer was lost may be in the stream as well: it comes twice, and is known the second time.
    const unwritten = events.filter((_event, index) => !results || results[index]?.[0]);
    if (unwritten.length > 0) defer(unwritten);
    const length = results?.at(-1)?.[1];
    if (typeof length === 'number') watchOverflow(length, events.length);
  }

  function defer(events: readonly string[]): void {
    onFate('deferred', events.length);
    fallback.add(events);
  }

  function watchOverflow(length: number, added: number): void {
    // `~` trims whole nodes of some hundred entries: at the bound, about as many go as come.
    if (length >= maxEvents) {
      onFate('dropped', added);
      if (!isOverflowing) log.error({ max: maxEvents }, 'audit events are lost: the stream is full');
    }
    isOverflowing = length >= maxEvents;
  }

  return {
    add(events) {
      if (redis.status !== 'ready') return defer(events);
      const writing = write(events).finally(() => writes.delete(writing));
      writes.add(writing);
    },
    async backlog() {
      const [kept, own] = await Promise.all([source.backlog(), fallback.backlog()]);
      const oldest = [kept.oldestMs, own.oldestMs].filter((ms) => ms !== undefined);
      return {
        events: kept.events + own.events,
        oldestMs: oldest.length > 0 ? Math.min(...oldest) : undefined,
      };
    },
    async close(withinMs) {
      await Promise.all(writes);
      await Promise.all([loop.stop(withinMs), fallback.close(withinMs)]);
      await source.leave();
    },
  };
}

const STREAM = 'audit';

/** Reads as a consumer of its own: what nobody has read yet, and what others have left behind. */
export function createStreamSource(deps: { redis: RedisClient; abandonedMs?: number }): {
  take(): Promise<Batch | undefined>;
  /** Nothing while Redis cannot be asked. */
  backlog(): Promise<Backlog>;
  /** Nothing is left behind in Redis of a process that ends in order. */
  leave(): Promise<void>;
} {
  const { redis, abandonedMs = ABANDONED_MS } = deps;
  const consumer = randomUUID();

  async function read(): Promise<readonly Entry[]> {
    const answer = await redis.xreadgroup(
      'GROUP',
      GROUP,
      consumer,
      'COUNT',
      BATCH_SIZE,
      'STREAMS',
      STREAM,
      '>',
    );
    const [stream] = (answer ?? []) as readonly (readonly [string, readonly Entry[]])[];
    return stream?.[1] ?? [];
  }

  async function claim(): Promise<readonly Entry[]> {
    const [, entries] = (await redis.xautoclaim(
      STREAM,
      GROUP,
      consumer,
      abandonedMs,
      '0',
      'COUNT',
      BATCH_SIZE,
    )) as [string, readonly Entry[]];
    return entries;
  }

  async function find(): Promise<readonly Entry[]> {
    const unread = await read();
    return unread.length > 0 ? unread : claim();
  }

  async function done(ids: string[]): Promise<void> {
    const results = await redis
      .multi()
      .xack(STREAM, GROUP, ...ids)
      .xdel(STREAM, ...ids)
      .exec();
    for (const [err] of results ?? []) if (err) throw err;
  }

  return {
    async take() {
      const entries = await find().catch(async (err: unknown) => {
        if (!isMissingGroup(err)) throw err;
        // From the beginning: what was written before the group was there has not been read either.
        await redis.xgroup('CREATE', STREAM, GROUP, '0', 'MKSTREAM').catch(unlessBusy);
        return find();
      });
      if (entries.length === 0) return undefined;
      const events = entries.flatMap(([, fields]) => fields?.[1] ?? []);
      return { events, done: () => done(entries.map(([id]) => id)) };
    },
    async backlog() {
      const [events, [oldest]] = await Promise.all([
        redis.xlen(STREAM),
        redis.xrange(STREAM, '-', '+', 'COUNT', 1),
      ]).catch(() => [0, []] as const);
      // An entry's id begins with the time at which it was added.
      return { events, oldestMs: oldest && Number(oldest[0].split('-')[0]) };
    },
    async leave() {
      const [own] = await pendingOf().catch(() => []);
      // Deleting a consumer forgets what it has read and not acknowledged.
      if (own === undefined)
        await redis.xgroup('DELCONSUMER', STREAM, GROUP, consumer).catch(() => undefined);
    },
  };

  async function pendingOf(): Promise<unknown[]> {
    return redis.xpending(STREAM, GROUP, '-', '+', 1, consumer);
  }
}

const isMissingGroup = (err: unknown): boolean => err instanceof Error && err.message.startsWith('NOGROUP');

function unlessBusy(err: unknown): void {
  if (!(err instanceof Error && err.message.startsWith('BUSYGROUP'))) throw err;
}
