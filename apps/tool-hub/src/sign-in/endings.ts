import { type ConnectorId, isId } from '@legate/ids';
import type { Logger } from '@legate/service';
import type { Caller } from '../domain/caller.ts';
import { type OfConnector, type Reach, reachesOf, reachName } from '../domain/reach.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Ends requests that are still running when their session ends, or when all that their user or organization has here is
 * revoked, or the connector where they run. Replicas tell one another; since that may be missed, and since some may run on
 * for a while, what runs is also looked at every few seconds.
 */
export interface Endings {
  /**
   * @param at where it runs, as far as that is known by then
   * @returns to be called when the request is over
   */
  watch(caller: Caller, onEnd: (why: EndedBy) => void, at?: RunningAt): () => void;
  /**
   * Ends what had begun by then. One that cannot be judged ends too: that something has ended is known. Never rejects.
   * @param name of what has ended (`reachName`), here or elsewhere, and perhaps a while ago
   */
  end(name: string): Promise<void>;
  /** @param listener told the name (`reachName`) of whatever has ended, for what is kept and ends with it */
  onEnd(listener: (name: string) => void): void;
  /** Ends what should have ended. One that cannot be judged goes on until the next look. */
  recheck(): Promise<void>;
}

/** What has ended: the caller's session or access, or the connector that the request is at */
export type EndedBy = 'caller' | 'connector';

/** Of a call, whose connector may be found out on its way */
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
          // An announcement may come late, when the user has signed in again, or called once more: the store knows when it was.
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

/** What `name` would end of it */
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
