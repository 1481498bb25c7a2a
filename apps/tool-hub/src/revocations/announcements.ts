import type { Logger } from '@legate/service';
import type { Redis } from 'ioredis';

/** Tells all processes of a deployment to forget what they know of an organization. */
export interface Announcements {
  announce(organizationId: string): Promise<void>;
  close(): void;
}

/** A single process has nobody to tell. */
export const NO_ANNOUNCEMENTS: Announcements = { announce: async () => undefined, close: () => undefined };

/**
 * Over Redis, which delivers to whoever listens at that moment and forgets; so whoever was not connected must look again.
 * @param options.channel with the key prefix, which Redis clients put before keys only
 * @param options.onMissed something may have been missed until now: the connection is there, for the first time or again
 */
export async function listenForAnnouncements(
  redis: Redis,
  options: {
    channel: string;
    onAnnounced: (organizationId: string) => void;
    onMissed: () => void;
    log: Logger;
  },
): Promise<Announcements> {
  const { channel, onAnnounced, onMissed, log } = options;
  const listener = redis.duplicate(); // a connection that listens can send nothing else
  listener.on('error', (err) => log.warn({ err }, 'redis: announcements'));
  listener.on('message', (_channel, organizationId) => onAnnounced(organizationId));
  let subscribed: Promise<void> = Promise.resolve();
  listener.on('ready', () => {
    subscribed = listener.subscribe(channel).then(onMissed, (err: unknown) => {
      log.warn({ err }, 'redis: announcements are not heard');
    });
  });
  await listener.connect().catch(() => undefined); // tried again in the background
  await subscribed;
  return {
    async announce(organizationId) {
      await redis.publish(channel, organizationId);
    },
    close: () => listener.disconnect(),
  };
}
