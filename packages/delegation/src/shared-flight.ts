import { hash, randomUUID } from 'node:crypto';
import type { SecureStore } from '@legate/secure-store';

/** Lets one of the processes on a store do what all of them would do at the same moment. */
export interface SharedFlight {
  /**
   * @param key identifies equal work across processes
   * @param work stores its outcome where `find` looks
   * @param find checks whether another process has done the work meanwhile; called before it starts
   */
  run<Result>(
    key: string,
    work: () => Promise<Result>,
    find: () => Promise<Result | undefined>,
  ): Promise<Result>;
}

/** The lifetime of a lease, and so the longest wait for another process, alive or not. */
export const LEASE_SECONDS = 3;
const LOOK_EVERY_MS = 25;

/**
 * A lease, not a lock: a caller that does not get it waits for its end once, and then continues alone, with or without
 * a result. So nobody waits twice for a refusal, a dead process costs the others `LEASE_SECONDS`, and an unreachable
 * store only causes duplicate work.
 * @param deps.wait milliseconds
 */
export function createSharedFlight(deps: {
  store: Pick<SecureStore, 'add' | 'get' | 'replace'>;
  wait: (ms: number) => Promise<unknown>;
}): SharedFlight {
  const { store } = deps;

  /** @returns the current owner; undefined if unknown */
  async function take(name: string, owner: string): Promise<'ours' | 'others' | undefined> {
    try {
      return (await store.add(name, owner, LEASE_SECONDS)) ? 'ours' : 'others';
    } catch {
      return undefined;
    }
  }

  async function isThere(name: string): Promise<boolean> {
    try {
      return (await store.get(name)) !== undefined;
    } catch {
      return false;
    }
  }

  /** Counts attempts instead of reading a clock: the store's clock may not advance. */
  async function awaitEnd(name: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < LEASE_SECONDS * 1000; waitedMs += LOOK_EVERY_MS) {
      await deps.wait(LOOK_EVERY_MS);
      if (!(await isThere(name))) return;
    }
  }

  return {
    async run(key, work, find) {
      const name = `flight:${hash('sha256', key, 'base64url')}`;
      const owner = randomUUID();
      let lease = await take(name, owner);
      if (lease === undefined) return work();
      if (lease === 'others') {
        await awaitEnd(name);
        lease = await take(name, owner); // for those who come now
      }
      try {
        // Another flight may have ended between the caller's lookup and the lease.
        return (await find()) ?? (await work());
      } finally {
        // It may have run out under us, and be another's. Where it cannot be given back, it runs out.
        if (lease === 'ours') await store.replace(name, owner, undefined).catch(() => false);
      }
    },
  };
}
