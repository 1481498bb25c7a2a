import { isCluster, type RedisClient } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Cluster, Redis } from 'ioredis';

/**
 * Announces a name to all processes of a deployment: the id of an organization that has changed, or the name of what
 * has ended (`reachName`).
 */
export interface Announcements {
  announce(name: string): Promise<void>;
  close(): void;
}

/** Announcements of a single process, which are not sent. */
export const NO_ANNOUNCEMENTS: Announcements = { announce: async () => undefined, close: () => undefined };

/** Interval between attempts to find a cluster node to listen at. */
const RELISTEN_MS = 500;
/** Longest wait before the next attempt to subscribe; the first one is `RELISTEN_MS`, and each failure doubles it. */
const MAX_RESUBSCRIBE_MS = 30_000;

/**
 * Uses Redis pub/sub, which delivers only to current subscribers; after a lost connection the caller must check for
 * missed changes.
 * @param options.channel with the key prefix, which Redis clients add only to keys
 * @param options.onMissed called on every connection, including the first, because announcements may have been missed
 * before it
 * @param options.noteSubscription called with each answer to a subscription: an error, or none
 */
export async function listenForAnnouncements(
  redis: RedisClient,
  options: {
    channel: string;
    onAnnounced: (name: string) => void;
    onMissed: () => void;
    noteSubscription?: (channel: string, err?: unknown) => void;
    log: Logger;
  },
): Promise<Announcements> {
  const { channel, onAnnounced, onMissed, noteSubscription, log } = options;
  let waitMs = RELISTEN_MS;
  let timer: NodeJS.Timeout | undefined;

  /** Subscribes on a separate connection, because a subscribed connection can send no other commands. */
  async function listenWith(listener: Redis): Promise<void> {
    listener.on('error', (err) => log.warn({ err }, 'redis: announcements'));
    listener.on('message', (_channel, name) => onAnnounced(name));
    let subscribed: Promise<void> = Promise.resolve();
    listener.on('ready', () => {
      clearTimeout(timer);
      subscribed = listener.subscribe(channel).then(
        () => {
          waitMs = RELISTEN_MS;
          noteSubscription?.(channel);
          onMissed();
        },
        (err: unknown) => {
          log.warn({ err, channel }, 'redis: announcements are not received');
          noteSubscription?.(channel, err);
          // Without a wait, a connection without the permission would come back several times a second.
          timer = setTimeout(() => listener.disconnect(true), waitMs);
          waitMs = Math.min(2 * waitMs, MAX_RESUBSCRIBE_MS);
        },
      );
    });
    await listener.connect().catch(() => undefined); // retried in the background
    await subscribed;
  }

  const close = isCluster(redis)
    ? await listenInCluster(redis, listenWith)
    : await listenAlone(redis, listenWith);
  return {
    async announce(name) {
      await redis.publish(channel, name);
    },
    close() {
      clearTimeout(timer);
      close();
    },
  };
}

/** ioredis would not handle the refusal of its own subscription, which would end the process. */
const LISTENER = { autoResubscribe: false } as const;

type Listen = (listener: Redis) => Promise<void>;

async function listenAlone(redis: Redis, listen: Listen): Promise<() => void> {
  const listener = redis.duplicate(LISTENER);
  await listen(listener);
  return () => listener.disconnect();
}

/**
 * Subscribes at any one node, because each receives all announcements, and at another one when that node is lost.
 * ioredis would switch nodes silently, so that missed announcements would go unnoticed.
 */
async function listenInCluster(cluster: Cluster, listen: Listen): Promise<() => void> {
  let listener: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const again = () => {
    if (!isClosed) timer = setTimeout(() => void start(), RELISTEN_MS);
  };
  async function start(): Promise<void> {
    const nodes = cluster.nodes('master').filter(({ status }) => status === 'ready');
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (!node) return again();
    listener = node.duplicate({ ...LISTENER, retryStrategy: () => null });
    listener.once('end', again);
    await listen(listener);
  }
  await start();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    listener?.disconnect();
  };
}
