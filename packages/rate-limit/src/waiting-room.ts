/** A claim to run. */
export interface Entry {
  /** The group of principals that share the places */
  readonly group: string;
  /** The principal's name, different for each principal of the group */
  readonly principal: string;
}

/** Ends a run; safe to call repeatedly. */
export type EndRun = (how?: { readonly failed: boolean }) => void;

/** A request that waits for its turn. */
export interface Turn {
  /** Resolves to the function that ends the run, or to undefined if the turn did not come in time. */
  readonly begun: Promise<EndRun | undefined>;
  /**
   * Returns true if no run of the group has succeeded recently: then the running requests are stuck, rather than too
   * many.
   */
  isStuck(): boolean;
  /** Gives up waiting. Does nothing once its turn has come. */
  leave(): void;
}

interface Waiting {
  readonly principal: string;
  begin(): void;
}

interface Group {
  running: number;
  /** Time in milliseconds at which a run last succeeded; initially the time at which the first run began */
  lastEndedAt: number;
  readonly runningOf: Map<string, number>;
  /** Waiting requests, in order */
  readonly waiting: Set<Waiting>;
}

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/**
 * Limits concurrent work of each group in this process. Further requests wait in order, for a short time that is long
 * enough for most bursts. While a group has several principals, none may have more than a share of the running and the
 * waiting requests; requests of others pass those of a principal who has reached this share.
 * @param options.max concurrent runs of a group
 * @param options.places maximum number of waiting requests of a group
 * @param options.hasOthers returns true while a group has principals other than this one
 */
export function createWaitingRoom(options: {
  max: number;
  places: number;
  waitMs: number;
  sharePercent: number;
  hasOthers: (group: string, principal: string) => boolean;
  clock: () => Date;
}) {
  const { max, places, waitMs, sharePercent, hasOthers } = options;
  const now = () => options.clock().getTime();
  /** Groups by name. It contains only groups with running work, so its size is bounded by that. */
  const groups = new Map<string, Group>();
  const limited = (group: string, principal: string, all: number): number =>
    hasOthers(group, principal) ? Math.ceil((all * sharePercent) / 100) : all;

  const mayBegin = (name: string, group: Group, principal: string): boolean =>
    group.running < max && (group.runningOf.get(principal) ?? 0) < limited(name, principal, max);

  function begin(name: string, group: Group, principal: string): EndRun {
    group.running += 1;
    group.runningOf.set(principal, (group.runningOf.get(principal) ?? 0) + 1);
    let isRunning = true;
    return (how) => {
      if (!isRunning) return;
      isRunning = false;
      group.running -= 1;
      if (!how?.failed) group.lastEndedAt = now();
      const left = (group.runningOf.get(principal) ?? 1) - 1;
      if (left === 0) group.runningOf.delete(principal);
      else group.runningOf.set(principal, left);
      beginNext(name, group);
    };
  }

  function beginNext(name: string, group: Group): void {
    for (const waiting of group.waiting) {
      if (group.running >= max) return;
      if (mayBegin(name, group, waiting.principal)) waiting.begin();
    }
    if (group.running === 0 && group.waiting.size === 0) groups.delete(name);
  }

  return {
    /** @returns a function that ends the run; undefined if the request has to wait */
    enter({ group: name, principal }: Entry): EndRun | undefined {
      let group = groups.get(name);
      if (!group) {
        group = { running: 0, lastEndedAt: now(), runningOf: new Map(), waiting: new Set() };
        groups.set(name, group);
      }
      return mayBegin(name, group, principal) ? begin(name, group, principal) : undefined;
    },

    /** Waits for a turn, after `enter` returned undefined. @returns undefined if there is no place left */
    wait({ group: name, principal }: Entry): Turn | undefined {
      const group = groups.get(name);
      if (!group || group.waiting.size >= places) return undefined;
      const own = [...group.waiting].filter((waiting) => waiting.principal === principal).length;
      if (own >= limited(name, principal, places)) return undefined;

      let settle: (end: EndRun | undefined) => void;
      const begun = new Promise<EndRun | undefined>((resolve) => {
        settle = resolve;
      });
      const timer = setTimeout(() => leave(), waitMs);
      const waiting: Waiting = {
        principal,
        begin() {
          clearTimeout(timer);
          group.waiting.delete(waiting);
          settle(begin(name, group, principal));
        },
      };
      function leave(): void {
        clearTimeout(timer);
        if (group?.waiting.delete(waiting)) settle(undefined);
      }
      group.waiting.add(waiting);
      return { begun, isStuck: () => now() - group.lastEndedAt >= waitMs / 2, leave };
    },
  };
}
