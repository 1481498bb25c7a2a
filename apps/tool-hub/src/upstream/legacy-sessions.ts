import type { LegacySession } from './mcp-request.ts';

/** Handshakes that need not be repeated. Sessions are kept for each user: they never authenticate, but they may hold state. */
export interface LegacySessions {
  find(url: string, owner: string): LegacySession | undefined;
  keep(url: string, owner: string, session: LegacySession): void;
  drop(url: string, owner: string): void;
}

const MAX_SESSIONS = 10_000;
/** A server that keeps no sessions is asked again for its revision after this long: it may have been upgraded. */
const HANDSHAKE_AGE_MS = 600_000;

export function createLegacySessions(deps: { clock: () => Date }): LegacySessions {
  const entries = new Map<string, { session: LegacySession; keptAtMs: number }>();
  const shared = (url: string): string => JSON.stringify([url]);
  const own = (url: string, owner: string): string => JSON.stringify([url, owner]);

  function get(key: string): LegacySession | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (deps.clock().getTime() - entry.keptAtMs < HANDSHAKE_AGE_MS) return entry.session;
    entries.delete(key);
    return undefined;
  }

  return {
    find: (url, owner) => get(shared(url)) ?? get(own(url, owner)),
    keep(url, owner, session) {
      // Without a session there is nothing of one user's: whoever comes next need not shake hands.
      const key = session.id === undefined ? shared(url) : own(url, owner);
      entries.delete(key);
      entries.set(key, { session, keptAtMs: deps.clock().getTime() });
      const [oldest] = entries.keys();
      if (entries.size > MAX_SESSIONS && oldest !== undefined) entries.delete(oldest);
    },
    drop(url, owner) {
      entries.delete(shared(url));
      entries.delete(own(url, owner));
    },
  };
}
