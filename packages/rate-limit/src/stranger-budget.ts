import { clientNetworks } from './client-address.ts';
import { WINDOW_SECONDS } from './limiter.ts';

/** The sender of a request, as far as it is known. */
export interface Asker {
  readonly address: string | undefined;
  /**
   * Values that distinguish requests of one network, such as the browser, and then the client that the request names
   */
  readonly items?: readonly string[];
}

/** A request is accepted while its asker has used less than this part of the remaining budget. */
const PART = 0.5;

/**
 * The accepted requests of a window by asker. Askers without accepted requests are not listed, so the limit bounds
 * their number.
 */
interface Level {
  total: number;
  readonly askers: Map<string, Level>;
}
const newLevel = (): Level => ({ total: 0, askers: new Map() });

/** The result of taking a request from the budget */
export interface Taken {
  /** 0 if the request is accepted, otherwise the seconds after which the asker may try again */
  readonly seconds: number;
  /** Returns the request to the budget, if it did not use any resources. */
  giveBack(): void;
}

export type StrangerBudget = ReturnType<typeof createStrangerBudget>;

/**
 * Divides a number of requests per minute and process among unauthenticated clients. A request is accepted while its
 * asker has used less than half of the remaining budget. So a single asker gets a third of the limit, askers who take
 * all they can leave something to others, and those who have used the least are served the longest. Sites share the
 * limit; in the same way, networks share the part of their site, and items the part of their network. Refused requests
 * do not count.
 * @param options.perMinute requests of all unauthenticated clients together, in this process
 * @param options.onDecision called for each request
 */
export function createStrangerBudget(options: {
  perMinute: number;
  clock: () => Date;
  onDecision?: ((decision: 'allowed' | 'refused') => void) | undefined;
}) {
  const { perMinute, onDecision } = options;
  let startedAt = Number.NEGATIVE_INFINITY;
  let window = newLevel();

  /** @returns seconds until the window ends */
  function turn(): number {
    const now = Math.floor(options.clock().getTime() / 1000);
    const passed = now - startedAt;
    if (passed >= WINDOW_SECONDS || passed < 0) {
      window = newLevel();
      startedAt = now;
    }
    return startedAt + WINDOW_SECONDS - now;
  }

  return {
    /** Takes one request from the budget. */
    take({ address, items = [] }: Asker): Taken {
      const secondsLeft = turn();
      const { network, site } = clientNetworks(address);
      const names = site === network ? [site, ...items] : [site, network, ...items];
      let taken = hasMore(names, perMinute - window.total, window) ? window : undefined;
      if (taken) count(taken, names, 1);
      onDecision?.(taken ? 'allowed' : 'refused');
      return {
        seconds: taken ? 0 : secondsLeft,
        giveBack() {
          if (taken) count(taken, names, -1); // in the window from which it was taken
          taken = undefined;
        },
      };
    },
  };
}

/** @param left remaining budget of all askers on this level together */
function hasMore([name, ...rest]: readonly string[], left: number, level?: Level): boolean {
  if (name === undefined) return true;
  const asker = level?.askers.get(name);
  const more = PART * left - (asker?.total ?? 0);
  // Each accepted request of the asker also reduces the remaining budget.
  return more > 0 && hasMore(rest, more / (1 + PART), asker);
}

function count(level: Level, [name, ...rest]: readonly string[], change: 1 | -1): void {
  level.total += change;
  if (name === undefined) return;
  const asker = level.askers.get(name) ?? newLevel();
  count(asker, rest, change);
  if (asker.total > 0) level.askers.set(name, asker);
  else level.askers.delete(name);
}
