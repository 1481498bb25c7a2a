import { type ConnectorId, isId } from '@legate/ids';
import { type Logger, Problem } from '@legate/service';
import type { CallObserver } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import type { Presence } from '../domain/presence.ts';
import { type OfConnector, type Reach, reachesOf, reachName } from '../domain/reach.ts';
import { accessRevoked, sessionEndedMeanwhile } from '../refusals/sign-in-problems.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Cancels running requests when their session ends, or the access of their user or organization, or their connector is
 * revoked. Replicas notify one another; because a notification may be lost, and some requests may continue for a while,
 * running requests are also checked every few seconds.
 */
export type Endings = ReturnType<typeof createEndings>;

/** What has ended: the caller's session or access, or the connector of the request */
export type EndedBy = 'caller' | 'connector';

/** The target of a running call, whose connector becomes known later */
export interface RunningAt {
  /** The connector that the caller names, which may not exist */
  readonly connectorId: string | undefined;
}

interface Watched {
  readonly caller: Caller;
  readonly onEnd: (why: EndedBy) => void;
  readonly at: RunningAt | undefined;
  readonly sinceMs: number;
}

export function createEndings(deps: { store: SessionStore; clock: () => Date; log: Logger }) {
  const { store, clock, log } = deps;
  const running = new Set<Watched>();
  const listeners: ((name: string) => void)[] = [];
  const lateListeners: ((name: string) => void)[] = [];

  function stop(watched: Watched, why: EndedBy): void {
    if (running.delete(watched)) watched.onEnd(why);
  }

  async function findEnd({ caller, at, sinceMs }: Watched): Promise<EndedBy | undefined> {
    const connector = connectorOf(caller, at);
    const isOver = async (reaches: readonly Reach[]) =>
      (await store.endsOf(reaches)).some(
        (end) => end !== undefined && end.at >= sinceMs && (end.cutAt ?? 0) <= clock().getTime(),
      );
    if (connector && (await isOver([connector]))) return 'connector';
    const { session } = caller;
    const isGone = session
      ? (await store.find(session.key)).kind !== 'found'
      : await isOver(reachesOf({ ...caller, sid: caller.signIn?.sid }));
    return isGone ? 'caller' : undefined;
  }

  return {
    /**
     * @param at the connector of the request, if known by then
     * @returns a function to call when the request ends
     */
    watch(caller: Caller, onEnd: (why: EndedBy) => void, at?: RunningAt): () => void {
      const watched = { caller, onEnd, at, sinceMs: clock().getTime() };
      running.add(watched);
      return () => void running.delete(watched);
    },
    /**
     * @param listener called with the name (`reachName`) of everything that has ended, so that it can drop its cached
     * data
     */
    onEnd(listener: (name: string) => void): void {
      listeners.push(listener);
    },
    /**
     * @param listener called when the running requests are cancelled, so that it can also drop what they have opened
     * meanwhile
     */
    onCancelled(listener: (name: string) => void): void {
      lateListeners.push(listener);
    },
    /**
     * Cancels the requests that had begun by the time of an end. A request that cannot be checked is cancelled too,
     * because it is certain that something has ended. Never rejects.
     * @param name name of what has ended (`reachName`), here or elsewhere, possibly some time ago
     */
    async end(name: string): Promise<void> {
      for (const listener of listeners) listener(name);
      const concerned = [...running].flatMap((watched) => {
        const heard = endedBy(watched, name);
        return heard ? [{ watched, heard }] : [];
      });
      await Promise.all(
        concerned.map(async ({ watched, heard }) => {
          // An announcement may arrive late, when the user has signed in again, or started another call. The time of
          // the end is in the store.
          const why = await findEnd(watched).catch(() => heard);
          if (why) stop(watched, why);
        }),
      );
      for (const listener of lateListeners) listener(name);
    },
    /**
     * Cancels requests whose caller or connector has ended. A request that cannot be checked continues until the next
     * check.
     */
    async recheck(): Promise<void> {
      await Promise.all(
        [...running].map(async (watched) => {
          try {
            const why = await findEnd(watched);
            if (why) stop(watched, why);
          } catch (err) {
            log.warn({ err }, 'sessions: cannot determine whether a running request must end');
          }
        }),
      );
    },
  };
}

/**
 * Runs a caller's work, and cancels it when their session or access ends, or the connector of the call is revoked.
 * @throws {Problem} in that case, even if the work has finished: its result must not be delivered
 */
export async function untilEnded<Result>(
  watch: Endings['watch'],
  waiting: {
    readonly caller: Caller;
    readonly presence: Presence;
    /** Resolves when the request has been counted, while the work runs. If both fail, this refusal is the one that is thrown. */
    readonly counted?: Promise<void> | undefined;
    readonly observer?: CallObserver | undefined;
    readonly at: RunningAt;
  },
  work: () => Promise<Result>,
): Promise<Result> {
  const { caller, presence, counted, observer, at } = waiting;
  const unwatch = watch(caller, (why) => presence.cut(endedMeanwhile(caller, why)), at);
  let result: Result;
  try {
    try {
      result = await work();
    } finally {
      await counted;
    }
  } catch (err) {
    // A refusal is not a cancellation: it may be what ended the session, and its text helps the user.
    if (isRefusal(err)) throw err;
    throw cut() ?? err;
  } finally {
    unwatch();
  }
  const why = cut();
  if (why) throw why;
  return result;

  function cut(): Problem | undefined {
    if (presence.cutBy) observer?.report({ step: 'cut', why: presence.cutBy });
    return presence.cutBy;
  }
}

const isRefusal = (err: unknown): boolean =>
  err instanceof Problem && (err.status === 401 || err.status === 403);

/**
 * Describes the end for a caller with an ID token, which may be valid for the next request. That one is checked
 * separately.
 */
const endedMeanwhile = ({ session }: Caller, why: EndedBy): Problem =>
  session && why === 'caller' ? sessionEndedMeanwhile() : accessRevoked(why);

const connectorOf = ({ organizationId }: Caller, at: RunningAt | undefined): OfConnector | undefined =>
  at?.connectorId !== undefined && isId<ConnectorId>(at.connectorId)
    ? { organizationId, connectorId: at.connectorId }
    : undefined;

/** Returns the parts of a request that an end with this `name` affects. */
function endedBy({ caller, at }: Watched, name: string): EndedBy | undefined {
  const connector = connectorOf(caller, at);
  if (connector && reachName(connector) === name) return 'connector';
  return allReachesOf(caller).some((reach) => reachName(reach) === name) ? 'caller' : undefined;
}

function allReachesOf(caller: Caller): readonly Reach[] {
  const { session, signIn } = caller;
  const belonging = reachesOf({ ...caller, sid: session?.sid ?? signIn?.sid });
  return session ? [{ key: session.key }, ...belonging] : belonging;
}
