import { hash, randomUUID } from 'node:crypto';
import type { Backend } from '@legate/secure-store';

/** Lets only one of the processes on a store do the work that all of them would do at the same time. */
export interface SharedFlight {
  /**
   * @param key identifies equal work across processes
   * @param work stores its result so that `find` finds it
   * @param find returns the result of another process that has done the work meanwhile; called before the work starts
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
 * Uses a lease, not a lock: a caller that does not get the lease waits for its end once, and then continues alone, with
 * or without a result. So nobody waits twice for a refusal, a dead process delays the others by at most
 * `LEASE_SECONDS`, and an unreachable store only causes duplicate work.
 * @param deps.backend a lease contains no secret, so it is not encrypted
 * @param deps.wait milliseconds
 */
export function createSharedFlight(deps: {
  backend: Pick<Backend, 'add' | 'get' | 'replace'>;
  wait: (ms: number) => Promise<unknown>;
}): SharedFlight {
  const { backend } = deps;

  /** @returns the current owner; undefined if unknown */
  async function take(name: string, owner: Buffer): Promise<'ours' | 'others' | undefined> {
    try {
      return (await backend.add(name, owner, LEASE_SECONDS)) ? 'ours' : 'others';
    } catch {
      return undefined;
    }
  }

  async function isThere(name: string): Promise<boolean> {
    try {
      return (await backend.get(name)) !== undefined;
    } catch {
      return false;
    }
  }

  /** Counts attempts instead of reading a clock, because the store's clock may not advance. */
  async function awaitEnd(name: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < LEASE_SECONDS * 1000; waitedMs += LOOK_EVERY_MS) {
      await deps.wait(LOOK_EVERY_MS);
      if (!(await isThere(name))) return;
    }
  }

  return {
    async run(key, work, find) {
      const name = `flight:${hash('sha256', key, 'base64url')}`;
      const owner = Buffer.from(randomUUID());
      let lease = await take(name, owner);
      if (lease === undefined) return work();
      if (lease === 'others') {
        await awaitEnd(name);
        lease = await take(name, owner); // for callers that arrive from now on
      }
      try {
        // Another flight may have ended between the caller's lookup and the lease.
        return (await find()) ?? (await work());
      } finally {
        // The lease may have expired and belong to another process by now. If it cannot be released, it expires.
        if (lease === 'ours') await backend.replace(name, owner, undefined).catch(() => false);
      }
    },
  };
}
