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

/**
 * Handshakes that need not be repeated. Sessions are separate for each user: they never authenticate, but may hold
 * state.
 */
export function createLegacySessions(deps: { clock: () => Date }) {
  const entries = new Map<string, { session: LegacySession; keptAtMs: number }>();
  const shared = ({ url, extensions }: SessionPlace): string => JSON.stringify([url, null, extensions]);
  const own = ({ url, owner, extensions }: SessionPlace): string => JSON.stringify([url, owner, extensions]);

  function get(key: string): LegacySession | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (deps.clock().getTime() - entry.keptAtMs < HANDSHAKE_AGE_MS) return entry.session;
    entries.delete(key);
    return undefined;
  }

  return {
    find: (place: SessionPlace): LegacySession | undefined => get(shared(place)) ?? get(own(place)),
    keep(place: SessionPlace, session: LegacySession): void {
      // Without a session nothing belongs to one user, so the next caller needs no handshake.
      const key = session.id === undefined ? shared(place) : own(place);
      entries.delete(key);
      entries.set(key, { session, keptAtMs: deps.clock().getTime() });
      const [oldest] = entries.keys();
      if (entries.size > MAX_SESSIONS && oldest !== undefined) entries.delete(oldest);
    },
    drop(place: SessionPlace): void {
      entries.delete(shared(place));
      entries.delete(own(place));
    },
  };
}
