import { listenForAnnouncements, NO_ANNOUNCEMENTS } from '../platform/announcements.ts';
import type { Platform } from '../platform/platform.ts';
import { createEndings, type Endings } from './endings.ts';
import type { LogoutTokenMemory } from './logout-token-memory.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import type { SignInSettings } from './settings.ts';

/**
 * Maximum sessions of a user in one organization: a browser, a desktop and some agents. A further one ends the oldest.
 */
const MAX_SESSIONS_PER_USER = 20;
const LIFETIME_SECONDS = 7 * 86_400;
const IDLE_SECONDS = 86_400;
/** Maximum time until a running request notices that its session has ended. */
const RECHECK_MS = 5000;

/** The shared sessions of a deployment: their store, and how replicas notify one another of their ends */
export interface SharedSessions {
  readonly store: SessionStore & LogoutTokenMemory;
  readonly endings: Endings;
  /** Notifies the other replicas of what has ended. */
  readonly announce: (name: string) => Promise<void>;
  /** Lifetime of a renewable session */
  readonly lifetimeSeconds: number;
  /** Maximum sessions of a user in one organization; a further one ends the oldest */
  readonly maxPerUser: number;
}

export async function openSharedSessions(
  platform: Platform,
  settings: Pick<SignInSettings, 'SESSION_IDLE_SECONDS' | 'SESSION_LIFETIME_SECONDS'> & {
    readonly REDIS_KEY_PREFIX: string;
  },
): Promise<SharedSessions & { close(): void }> {
  const { redis, noteSubscription, clock, log } = platform;
  const store = createSessionStore({
    store: platform.store,
    idleSeconds: settings.SESSION_IDLE_SECONDS ?? IDLE_SECONDS,
    clock,
    log,
  });
  const endings = createEndings({ store, clock, log });
  const announcements = redis
    ? await listenForAnnouncements(redis, {
        channel: `${settings.REDIS_KEY_PREFIX}sessions-ended`,
        onAnnounced: (name) => void endings.end(name),
        onMissed: () => void endings.recheck(),
        noteSubscription,
        log,
      })
    : NO_ANNOUNCEMENTS;
  const recheck = setInterval(() => void endings.recheck(), RECHECK_MS);
  return {
    store,
    endings,
    announce: announcements.announce,
    lifetimeSeconds: settings.SESSION_LIFETIME_SECONDS ?? LIFETIME_SECONDS,
    maxPerUser: MAX_SESSIONS_PER_USER,
    close() {
      announcements.close();
      clearInterval(recheck);
    },
  };
}
