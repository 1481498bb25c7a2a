import type { RedisClient } from '@legate/secure-store';
import { REMOVE_EVENTS } from './lane-stream-scripts.ts';
import { sizeOf } from './outbox.ts';
import { createStreamReader, GROUP } from './stream-reader.ts';

/** Streams in which earlier versions wrote events unencrypted: the last one by lane, those before in one stream. */
export const FORMER_STREAMS: readonly string[] = ['{audit}:done', '{audit}:refusals', 'audit'];

/** A stream that is read until it is empty, and never written. */
export function createFormerStream(deps: {
  redis: RedisClient;
  stream: string;
  abandonedMs?: number | undefined;
}) {
  const { redis, stream, abandonedMs } = deps;
  const reader = createStreamReader({ redis, stream, isWritten: false, abandonedMs });
  return {
    async take() {
      const entries = await reader.read();
      if (entries.length === 0) return undefined;
      const texts = entries.map(({ id, fields }) => ({
        id,
        event: fields.get('event')?.toString(),
        organizationId: fields.get('organization')?.toString(),
      }));
      return {
        events: texts.flatMap(({ event }) => event ?? []),
        async done() {
          const ids = texts.map(({ id }) => id);
          if (!hasLanes(stream)) {
            await redis.xack(stream, GROUP, ...ids);
            await redis.xdel(stream, ...ids);
            return;
          }
          // A hub of that version may still be writing, by these bytes.
          const removed = texts.flatMap(({ id, event = '', organizationId = '' }) => [
            id,
            organizationId,
            sizeOf(event),
          ]);
          await redis.eval(REMOVE_EVENTS, 2, stream, `${stream}:bytes`, GROUP, ...removed);
        },
      };
    },
    /** Empty while Redis is unavailable. */
    async backlog(): Promise<{ events: number; oldestMs: number | undefined }> {
      const { entries, oldestMs } = await reader.waiting().catch(() => ({ entries: 0, oldestMs: undefined }));
      return { events: entries, oldestMs };
    },
    leave: reader.leave,
  };
}

/** The hash tag puts stream and bytes on one node, as a script requires. */
const hasLanes = (stream: string): boolean => stream.startsWith('{');
