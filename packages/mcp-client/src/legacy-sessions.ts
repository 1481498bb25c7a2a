import type { McpCredential } from './mcp-target.ts';
import { createNamedEntries } from './named-entries.ts';
import type { LegacySession } from './wire-message.ts';

/** The server and owner of a handshake, with the credential of the request that looks it up. */
export interface SessionPlace {
  readonly url: string;
  readonly owner: string;
  /** Digest of the extensions that were declared in the handshake; undefined: none */
  readonly extensions: string | undefined;
  readonly credential: McpCredential;
}

/** A handshake, and the requests that run in its session */
export interface SharedSession extends LegacySession {
  running: number;
  /** True once it has been given up */
  isOver?: boolean;
  /** Set if the session is to be ended after the last of these requests */
  endsAs?: GivenUp;
}

/** A session with an id from the server, and the data that are needed to end it */
export interface GivenUp {
  readonly session: SharedSession;
  /** The place where it was opened, with the credential of its last use */
  readonly place: SessionPlace;
}

interface Entry {
  readonly session: SharedSession;
  /** Undefined if the server keeps no state, so that there is nothing to end. */
  place: SessionPlace | undefined;
  /** Time of the handshake, or of the last use if the server keeps state */
  sinceMs: number;
  readonly names: readonly string[];
}

const MAX_SESSIONS = 10_000;
/** A server without sessions is asked for its revision again after this time, because it may have been upgraded. */
const HANDSHAKE_AGE_MS = 600_000;
/** A session is given up after this time without use. It may hold the state of a tool. */
const SESSION_IDLE_MS = 3_600_000;

/**
 * Stores handshakes that need not be repeated. Each user has separate sessions: a session does not authenticate
 * anybody, but may hold state.
 * @param deps.onGivenUp called with each session that is to be ended at its server, once no request runs in it
 */
export function createLegacySessions(deps: { clock: () => Date; onGivenUp: (given: GivenUp) => void }) {
  const entries = createNamedEntries<Entry>();
  const nowMs = (): number => deps.clock().getTime();

  function giveUp(key: string, entry: Entry, place = entry.place): void {
    const { session } = entry;
    entries.remove(key, entry);
    if (!place || !hasState(session)) return;
    const given = giveUpAfterUse({ session, place });
    if (session.running === 0) deps.onGivenUp(given);
  }

  function get(key: string, place: SessionPlace): SharedSession | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const now = nowMs();
    if (isOld(entry, now)) {
      giveUp(key, entry, place); // `place` has the newer credential
      return undefined;
    }
    if (hasState(entry.session)) {
      entry.place = place;
      entry.sinceMs = now;
    }
    entries.touch(key, entry);
    return entry.session;
  }

  function add(key: string, entry: Entry): void {
    entries.add(key, entry);
    const [oldest] = entries.all();
    if (entries.size() > MAX_SESSIONS && oldest) giveUp(...oldest);
  }

  return {
    find: (place: SessionPlace): SharedSession | undefined =>
      get(shared(place), place) ?? get(own(place), place),
    /**
     * Keeps a session. If another request has opened one meanwhile, the new session is given up at once.
     * @param names for `giveUpNamed`
     * @returns the session to use
     */
    keep(place: SessionPlace, session: SharedSession, names: readonly string[]): SharedSession {
      const known = entries.get(shared(place));
      if (known) entries.remove(shared(place), known); // the new handshake is newer
      if (!hasState(session)) {
        // No state belongs to one user, so the next caller needs no handshake.
        add(shared(place), { session, place: undefined, sinceMs: nowMs(), names: [] });
        return session;
      }
      const other = get(own(place), place);
      if (other) {
        deps.onGivenUp({ session, place });
        return other;
      }
      add(own(place), { session, place, sinceMs: nowMs(), names: [...names, idName(place, session)] });
      return session;
    },
    /** Returns true if the server has issued the id of a session again, and the session with this id is kept. */
    isInUse: ({ place, session }: GivenUp): boolean => entries.keysOf(idName(place, session)).length > 0,
    /** Drops a session that the server no longer has, but not one that was opened since. */
    drop(place: SessionPlace, session: SharedSession): void {
      for (const key of [shared(place), own(place)]) {
        const entry = entries.get(key);
        if (entry?.session === session) entries.remove(key, entry);
      }
    },
    /** Gives up the session that `find` would return. */
    giveUp(place: SessionPlace): void {
      for (const key of [shared(place), own(place)]) {
        const entry = entries.get(key);
        if (entry) giveUp(key, entry, place);
      }
    },
    /** Gives up expired sessions, in time proportional to their number. */
    sweep(): void {
      const now = nowMs();
      for (const [key, entry] of entries.all()) {
        if (!isOld(entry, now)) return; // the following entries were used later
        giveUp(key, entry);
      }
    },
    /** Runs a request in a session. The session is not ended before the request has finished. */
    within: <T>(session: SharedSession, request: () => Promise<T>): Promise<T> =>
      runIn(session, request, deps.onGivenUp),
    giveUpNamed(name: string): void {
      for (const key of entries.keysOf(name)) {
        const entry = entries.get(key);
        if (entry) giveUp(key, entry);
      }
    },
    /** Gives up all sessions at once, even those with running requests. */
    giveUpAll(): void {
      const all = [...entries.all()];
      entries.clear();
      for (const [, { session, place }] of all) {
        if (!place) continue;
        session.isOver = true;
        deps.onGivenUp({ session, place });
      }
    },
    hasAny: (): boolean => entries.size() > 0,
  };
}

/** Gives up a session that is no longer kept. It ends after the last request in it (`within`). */
export function giveUpAfterUse(given: GivenUp): GivenUp {
  given.session.isOver = true;
  given.session.endsAs = given;
  return given;
}

async function runIn<T>(
  session: SharedSession,
  request: () => Promise<T>,
  end: (given: GivenUp) => void,
): Promise<T> {
  session.running += 1;
  try {
    return await request();
  } finally {
    session.running -= 1;
    if (session.running === 0 && session.endsAs) end(session.endsAs);
  }
}

const shared = ({ url, extensions }: SessionPlace): string => JSON.stringify([url, null, extensions]);
const own = ({ url, owner, extensions }: SessionPlace): string => JSON.stringify([url, owner, extensions]);

/** A name that cannot be the name of an owner, because of its form. */
const idName = ({ url }: SessionPlace, { id }: LegacySession): string => JSON.stringify({ url, id });

const isOld = ({ session, sinceMs }: Entry, nowMs: number): boolean =>
  nowMs - sinceMs >= (hasState(session) ? SESSION_IDLE_MS : HANDSHAKE_AGE_MS);

const hasState = ({ id }: LegacySession): boolean => id !== undefined;
