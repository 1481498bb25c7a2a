import type { CertificateConnections } from '@legate/delegation';
import { isId, type OrganizationId } from '@legate/ids';
import type { RedisClient } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Config } from './config.ts';
import {
  type Announcements,
  listenForAnnouncements,
  NO_ANNOUNCEMENTS,
} from './faces/revocations/announcements.ts';
import type { OpenRegistry } from './open-registry.ts';

/** Drops what this process knows of an organization when another process announces that it has changed. */
export async function openAnnouncements(
  config: Config,
  deps: {
    /** undefined: a single process */
    redis: RedisClient | undefined;
    registry: Pick<OpenRegistry, 'forget' | 'recheck'>;
    connections: Pick<CertificateConnections, 'forget'>;
    log: Logger;
  },
): Promise<Announcements> {
  const { redis, registry, connections, log } = deps;
  if (!redis) return NO_ANNOUNCEMENTS;
  return listenForAnnouncements(redis, {
    channel: `${config.REDIS_KEY_PREFIX}connectors-changed`,
    onAnnounced: (organizationId) => {
      if (!isId<OrganizationId>(organizationId)) return;
      registry.forget(organizationId);
      connections.forget(organizationId);
    },
    onMissed: registry.recheck,
    log,
  });
}
