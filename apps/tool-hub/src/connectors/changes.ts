import { isId, type OrganizationId } from '@legate/ids';
import { listenForAnnouncements, NO_ANNOUNCEMENTS } from '../platform/announcements.ts';
import type { Platform } from '../platform/platform.ts';
import type { OpenRegistry } from './open.ts';

/** Prefix of an organization's id if its connectors must be revalidated and not discarded. No id contains a space. */
const RECHECK = 'recheck ';

/** Notifies the other processes of changed connectors. */
export interface ConnectorChanges {
  /** Invalidates an organization's connectors. */
  readonly announce: (organizationId: OrganizationId) => Promise<void>;
  /** Makes the other processes revalidate an organization's connectors, without discarding the known ones. */
  readonly announceChange: (organizationId: OrganizationId) => Promise<void>;
}

/** Invalidates the cached data of an organization when another process announces a change. */
export async function openChanges(
  { redis, noteSubscription, connections, log }: Platform,
  settings: { readonly REDIS_KEY_PREFIX: string },
  registry: Pick<OpenRegistry, 'forget' | 'recheckOne' | 'recheck'>,
): Promise<ConnectorChanges & { close(): void }> {
  const { announce, close } = redis
    ? await listenForAnnouncements(redis, {
        channel: `${settings.REDIS_KEY_PREFIX}connectors-changed`,
        onAnnounced: (name) => {
          const changed = name.startsWith(RECHECK) ? name.slice(RECHECK.length) : '';
          if (isId<OrganizationId>(changed)) registry.recheckOne(changed);
          if (!isId<OrganizationId>(name)) return;
          registry.forget(name);
          connections.forget(name);
        },
        onMissed: registry.recheck,
        noteSubscription,
        log,
      })
    : NO_ANNOUNCEMENTS;
  return { announce, announceChange: (organizationId) => announce(`${RECHECK}${organizationId}`), close };
}
