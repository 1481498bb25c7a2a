import { type ConnectorId, isId } from '@legate/ids';
import type { Logger } from '@legate/service';
import type { Caller } from '../domain/caller.ts';
import { type OfConnector, type Reach, reachesOf, reachName } from '../domain/reach.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Cancels running requests when their session ends, or the access of their user or organization, or their connector is
 * revoked. Replicas notify one another; because a notification may be lost, and some requests may continue for a while,
 * running requests are also checked every few seconds.
 */
export interface Endings {
  /**
   * @param at the connector of the request, if known by then
   * @returns a function to call when the request ends
   */
  watch(caller: Caller, onEnd: (why: EndedBy) => void, at?: RunningAt): () => void;
  /**
   * Cancels what had begun by then. A request that cannot be checked is cancelled too, because an end is certain. Never
   * rejects.
   * @param name of what has ended (`reachName`), here or elsewhere, possibly some time ago
   */
  end(name: string): Promise<void>;
  /** @param listener called with the name (`reachName`) of everything that has ended, to drop its cached data */
  onEnd(listener: (name: string) => void): void;
  /** Cancels what should have ended. A request that cannot be checked continues until the next check. */
  recheck(): Promise<void>;
}

/** What has ended: the caller's session or access, or the connector of the request */
export type EndedBy = 'caller' | 'connector';

/** For a call whose connector becomes known later */
export interface RunningAt {
  /** As the caller names it: there may be no such connector. */
  readonly connectorId: string | undefined;
}

interface Watched {
  readonly caller: Caller;
  readonly onEnd: (why: EndedBy) => void;
  readonly at: RunningAt | undefined;
  readonly sinceMs: number;
}

export function createEndings(deps: { store: SessionStore; clock: () => Date; log: Logger }): Endings {
  const { store, clock, log } = deps;
  const running = new Set<Watched>();
  const listeners: ((name: string) => void)[] = [];

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
    watch(caller, onEnd, at) {
      const watched = { caller, onEnd, at, sinceMs: clock().getTime() };
      running.add(watched);
      return () => void running.delete(watched);
    },
    onEnd(listener) {
      listeners.push(listener);
    },
    async end(name) {
      for (const listener of listeners) listener(name);
      const told = [...running].flatMap((watched) => {
        const heard = endedBy(watched, name);
        return heard ? [{ watched, heard }] : [];
      });
      await Promise.all(
        told.map(async ({ watched, heard }) => {
          // An announcement may arrive late, when the user has signed in again, or started another call: the store has
          // the time.
          const why = await findEnd(watched).catch(() => heard);
          if (why) stop(watched, why);
        }),
      );
    },
    async recheck() {
      await Promise.all(
        [...running].map(async (watched) => {
          try {
            const why = await findEnd(watched);
            if (why) stop(watched, why);
          } catch (err) {
            log.warn({ err }, 'sessions: a running request cannot be judged');
          }
        }),
      );
    },
  };
}

const connectorOf = ({ organizationId }: Caller, at: RunningAt | undefined): OfConnector | undefined =>
  at?.connectorId !== undefined && isId<ConnectorId>(at.connectorId)
    ? { organizationId, connectorId: at.connectorId }
    : undefined;

/** Returns what `name` would end of it */
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
