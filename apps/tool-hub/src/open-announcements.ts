import type { CertificateConnections } from '@legate/delegation';
import { isId, type OrganizationId } from '@legate/ids';
import type { RedisClient } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Config } from './config.ts';
import type { OpenRegistry } from './open-registry.ts';
import { type Announcements, listenForAnnouncements, NO_ANNOUNCEMENTS } from './platform/announcements.ts';

/** In front of an organization that is only to be asked for again. An older process takes it for no id, and ignores it. */
const RECHECK = 'recheck ';

/** The announcement of an organization whose document has changed */
export const changeOf = (organizationId: OrganizationId): string => `${RECHECK}${organizationId}`;

/** Drops what this process knows of an organization when another process announces that it has changed. */
export async function openAnnouncements(
  config: Config,
  deps: {
    /** undefined: a single process */
    redis: RedisClient | undefined;
    registry: Pick<OpenRegistry, 'forget' | 'recheckOne' | 'recheck'>;
    connections: Pick<CertificateConnections, 'forget'>;
    log: Logger;
  },
): Promise<Announcements> {
  const { redis, registry, connections, log } = deps;
  if (!redis) return NO_ANNOUNCEMENTS;
  return listenForAnnouncements(redis, {
    channel: `${config.REDIS_KEY_PREFIX}connectors-changed`,
    onAnnounced: (name) => {
      const changed = name.startsWith(RECHECK) ? name.slice(RECHECK.length) : '';
      if (isId<OrganizationId>(changed)) registry.recheckOne(changed);
      if (!isId<OrganizationId>(name)) return;
      registry.forget(name);
      connections.forget(name);
    },
    onMissed: registry.recheck,
    log,
  });
}
