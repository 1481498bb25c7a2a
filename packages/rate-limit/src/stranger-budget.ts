import { clientNetworks } from './client-address.ts';
import { WINDOW_SECONDS } from './limiter.ts';

/** The sender of a request, as far as it is known. */
export interface Asker {
  readonly address: string | undefined;
  /** What tells requests of one network apart, such as the browser, and then the client in whose name it comes */
  readonly items?: readonly string[];
}

/** An asker gets more while it has had less than this part of what is left. */
const PART = 0.5;

/** What askers had in a window. Only those who got something are listed, so the limit bounds their number. */
interface Level {
  total: number;
  readonly askers: Map<string, Level>;
}
const newLevel = (): Level => ({ total: 0, askers: new Map() });

/** The outcome of a request */
export interface Taken {
  /** 0, or the seconds after which the asker may try again */
  readonly seconds: number;
  /** Returns it to the budget if the request has used up nothing. */
  giveBack(): void;
}

export type StrangerBudget = ReturnType<typeof createStrangerBudget>;

/**
 * Divides among strangers, per minute and process, what each of their requests uses up. An asker gets more while it has had
 * less than half of what is left. So one alone gets a third of the limit, those who take all they can leave something to
 * others, and the less one has had, the longer one is served. Sites share the limit; in the same way networks share what
 * their site may have, and items what their network may have. Refused requests use up nothing.
 * @param options.perMinute of all strangers together, in this process
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
          if (taken) count(taken, names, -1); // of the window that it was taken from
          taken = undefined;
        },
      };
    },
  };
}

/** @param left for all askers on this level together */
function hasMore([name, ...rest]: readonly string[], left: number, level?: Level): boolean {
  if (name === undefined) return true;
  const asker = level?.askers.get(name);
  const more = PART * left - (asker?.total ?? 0);
  // Each request that is given to the asker makes what is left smaller, too.
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
