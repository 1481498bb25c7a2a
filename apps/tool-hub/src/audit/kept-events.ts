import type { EncryptionKeys, RedisClient } from '@legate/secure-store';
import { createEventSeal } from './event-seal.ts';

/** An undelivered audit event, kept until an operator has fixed the cause and sends it again. */
export interface KeptEvent {
  /** Id of the entry, with which it is removed */
  readonly id: string;
  /** JSON of the event as it was sent; undefined if no known key decrypts it */
  readonly event: string | undefined;
}

export interface KeptEvents {
  /** Returns up to `count` entries after the entry `after`, oldest first. */
  read(after: string | undefined, count: number): Promise<readonly KeptEvent[]>;
  remove(ids: readonly string[]): Promise<void>;
}

interface Dependencies {
  readonly redis: RedisClient;
  readonly keys: EncryptionKeys;
}

/** Name of the stream in the hub's Redis, under `REDIS_KEY_PREFIX` */
const REFUSED_STREAM = 'audit:refused';
/** Maximum number of refused events, of about 1.5 KB each */
const MAX_REFUSED_EVENTS = 10_000;

/**
 * The audit events that management-api refused. The reason is in the log, and a replay logs it again. Beyond
 * `MAX_REFUSED_EVENTS` the oldest are deleted.
 */
export function createRefusedEvents({ redis, keys }: Dependencies) {
  const { seal, open } = createEventSeal(keys, REFUSED_STREAM);
  return {
    async keep(event: string): Promise<void> {
      await redis.xadd(REFUSED_STREAM, 'MAXLEN', '~', MAX_REFUSED_EVENTS, '*', 'sealed', seal('', event));
    },
    ...keptIn(redis, REFUSED_STREAM, (fieldOf) => {
      const sealed = fieldOf('sealed');
      return sealed && open('', sealed);
    }),
  };
}

/**
 * Stream for events that a hub cannot decrypt (`SET_ASIDE`), because their key is missing or they were altered. They
 * stay encrypted, and can be replayed when the key is available again.
 */
export const UNREADABLE_STREAM = '{audit}:unreadable';
/** Maximum number of undecryptable events, of about 1.2 KB each; beyond it the oldest are deleted. */
export const MAX_UNREADABLE_EVENTS = 10_000;

export const createUnreadableEvents = ({ redis, keys }: Dependencies): KeptEvents =>
  keptIn(redis, UNREADABLE_STREAM, (fieldOf) => {
    const seal = createEventSeal(keys, fieldOf('stream')?.toString() ?? '');
    const sealed = fieldOf('sealed');
    return sealed && seal.open(fieldOf('organization')?.toString() ?? '', sealed);
  });

/** @param eventOf decrypts an entry, given the values of its fields */
const keptIn = (
  redis: RedisClient,
  stream: string,
  eventOf: (fieldOf: (name: string) => Buffer | undefined) => string | undefined,
): KeptEvents => ({
  async read(after, count) {
    const start = after === undefined ? '-' : `(${after}`;
    const entries = await redis.xrangeBuffer(stream, start, '+', 'COUNT', count);
    return entries.map(([id, fields]) => ({
      id: id.toString(),
      event: eventOf((name) => valueAt(fields, name)),
    }));
  },
  async remove(ids) {
    if (ids.length > 0) await redis.xdel(stream, ...ids);
  },
});

/** Returns the value of a field of an entry, which Redis returns as a list of alternating names and values. */
function valueAt(fields: readonly Buffer[], name: string): Buffer | undefined {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field.toString() === name);
  return at < 0 ? undefined : fields[at + 1];
}
