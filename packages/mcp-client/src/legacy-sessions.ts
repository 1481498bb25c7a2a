import type { LegacySession } from './wire-message.ts';

/** The owner of a handshake. */
export interface SessionPlace {
  readonly url: string;
  readonly owner: string;
  /** Digest of the extensions that were declared in the handshake; undefined: none */
  readonly extensions: string | undefined;
}

const MAX_SESSIONS = 10_000;
/** A server without sessions is asked for its revision again after this time, because it may have been upgraded. */
const HANDSHAKE_AGE_MS = 600_000;
/** A session may hold the state of a tool: it is given up when nobody has used it for so long. */
const SESSION_IDLE_MS = 3_600_000;

/**
 * Handshakes that need not be repeated. Sessions are separate for each user: they never authenticate, but may hold
 * state.
 */
export function createLegacySessions(deps: { clock: () => Date }) {
  /** The least recently used first */
  const entries = new Map<string, { session: LegacySession; sinceMs: number }>();
  const shared = ({ url, extensions }: SessionPlace): string => JSON.stringify([url, null, extensions]);
  const own = ({ url, owner, extensions }: SessionPlace): string => JSON.stringify([url, owner, extensions]);

  function get(key: string): LegacySession | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const { session, sinceMs } = entry;
    const hasState = session.id !== undefined;
    const nowMs = deps.clock().getTime();
    entries.delete(key);
    if (nowMs - sinceMs >= (hasState ? SESSION_IDLE_MS : HANDSHAKE_AGE_MS)) return undefined;
    entries.set(key, { session, sinceMs: hasState ? nowMs : sinceMs });
    return session;
  }

  return {
    find: (place: SessionPlace): LegacySession | undefined => get(shared(place)) ?? get(own(place)),
    keep(place: SessionPlace, session: LegacySession): void {
      // Without a session nothing belongs to one user, so the next caller needs no handshake.
      const key = session.id === undefined ? shared(place) : own(place);
      entries.delete(key);
      entries.set(key, { session, sinceMs: deps.clock().getTime() });
      const [oldest] = entries.keys();
      if (entries.size > MAX_SESSIONS && oldest !== undefined) entries.delete(oldest);
    },
    drop(place: SessionPlace): void {
      entries.delete(shared(place));
      entries.delete(own(place));
    },
  };
}
