import type { Logger } from '@legate/service';
import type { Caller } from '../caller/caller.ts';
import { type Reach, reachesOf, reachName } from './reach.ts';
import type { SessionStore } from './store.ts';

/**
 * Ends requests that are still running when their session ends, or when all that their user or organization has here is
 * revoked. Replicas tell one another; since that may be missed, what runs is also looked at every few seconds.
 */
export interface Endings {
  /** @returns to be called when the request is over */
  watch(caller: Caller, onEnd: () => void): () => void;
  /** @param name of what has ended (`reachName`), here or elsewhere */
  end(name: string): void;
  /** Ends what should have ended. One that cannot be judged goes on until the next look. */
  recheck(): Promise<void>;
}

interface Watched {
  readonly caller: Caller;
  readonly onEnd: () => void;
  readonly sinceMs: number;
}

export function createEndings(deps: { store: SessionStore; clock: () => Date; log: Logger }): Endings {
  const { store, clock, log } = deps;
  const running = new Set<Watched>();

  function stop(watched: Watched): void {
    if (running.delete(watched)) watched.onEnd();
  }

  async function hasEnded({ caller, sinceMs }: Watched): Promise<boolean> {
    if (caller.session) return (await store.find(caller.session.key)).kind !== 'found';
    const ends = await store.endsOf(reachesOf(caller));
    return ends.some((end) => end !== undefined && end.at >= sinceMs);
  }

  return {
    watch(caller, onEnd) {
      const watched = { caller, onEnd, sinceMs: clock().getTime() };
      running.add(watched);
      return () => void running.delete(watched);
    },
    end(name) {
      for (const watched of running) {
        if (allReachesOf(watched.caller).some((reach) => reachName(reach) === name)) stop(watched);
      }
    },
    async recheck() {
      await Promise.all(
        [...running].map(async (watched) => {
          try {
            if (await hasEnded(watched)) stop(watched);
          } catch (err) {
            log.warn({ err }, 'sessions: a running request cannot be judged');
          }
        }),
      );
    },
  };
}

function allReachesOf(caller: Caller): readonly Reach[] {
  const { session } = caller;
  const belonging = reachesOf({ ...caller, sid: session?.sid });
  return session ? [{ key: session.key }, ...belonging] : belonging;
}
