import type { RedisClient, SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Config } from './config.ts';
import { listenForAnnouncements, NO_ANNOUNCEMENTS } from './platform/announcements.ts';
import { createEndings } from './sign-in/endings.ts';
import { createSessionStore } from './sign-in/session-store.ts';
import type { SessionsOptions } from './wiring/app-dependencies.ts';

/** Sessions of a user in one organization: a browser, a desktop and some agents. One more ends the oldest. */
const MAX_SESSIONS_PER_USER = 20;
/** Maximum time until a running request notices that its session has ended. */
const RECHECK_MS = 5000;

export interface OpenSessions {
  readonly options: SessionsOptions;
  close(): void;
}

/** The sessions of a deployment: what they are kept in, and how replicas tell one another of their ends. */
export async function openSessions(
  config: Config,
  deps: {
    redis: RedisClient | undefined;
    store: SecureStore;
    hubClient: SessionsOptions['hubClient'];
    clock: () => Date;
    log: Logger;
  },
): Promise<OpenSessions> {
  const { redis, hubClient, clock, log } = deps;
  const store = createSessionStore({
    store: deps.store,
    idleSeconds: config.SESSION_IDLE_SECONDS,
    clock,
    log,
  });
  const endings = createEndings({ store, clock, log });
  const announcements = redis
    ? await listenForAnnouncements(redis, {
        channel: `${config.REDIS_KEY_PREFIX}sessions-ended`,
        onAnnounced: (name) => void endings.end(name),
        onMissed: () => void endings.recheck(),
        log,
      })
    : NO_ANNOUNCEMENTS;
  const recheck = setInterval(() => void endings.recheck(), RECHECK_MS);
  return {
    options: {
      store,
      endings,
      announce: announcements.announce,
      hubClient,
      lifetimeSeconds: config.SESSION_LIFETIME_SECONDS,
      maxPerUser: MAX_SESSIONS_PER_USER,
    },
    close() {
      announcements.close();
      clearInterval(recheck);
    },
  };
}
