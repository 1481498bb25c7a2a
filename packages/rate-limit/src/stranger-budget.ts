import { clientNetworks } from './client-address.ts';
import { WINDOW_SECONDS } from './limiter.ts';

/** Who asks, as far as that is known of a stranger. */
export interface Asker {
  readonly address: string | undefined;
  /** What tells requests of one network apart: the client in whose name they come, then the browser */
  readonly items?: readonly string[];
}

/** A limit is divided by so many askers at least, so that the first ones leave something to those that follow. */
const MIN_ASKERS = 4;
/** The part of a limit that is divided; the rest is for askers who have had nothing in this minute. */
const DIVIDED = 0.75;

/** What askers had in a window. Only those who got something are listed, so the limit bounds their number. */
interface Level {
  total: number;
  readonly askers: Map<string, Level>;
}
const newLevel = (): Level => ({ total: 0, askers: new Map() });

export type StrangerBudget = ReturnType<typeof createStrangerBudget>;

/**
 * Divides among strangers, per minute and process, what each of their requests uses up. Nobody is refused for what another
 * one does: the share of an asker shrinks with the number of askers, of this minute or the one before, and a reserve is for
 * those who have had nothing yet. Sites share the limit, networks the share of their site, clients that of their network,
 * browsers that of their client. Refused requests use up nothing.
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
  let before = newLevel();
  let current = newLevel();

  /** @returns seconds until the window ends */
  function turn(): number {
    const now = Math.floor(options.clock().getTime() / 1000);
    const passed = now - startedAt;
    if (passed >= WINDOW_SECONDS || passed < 0) {
      before = passed < 2 * WINDOW_SECONDS ? current : newLevel();
      current = newLevel();
      startedAt = now;
    }
    return startedAt + WINDOW_SECONDS - now;
  }

  const namesOf = ({ address, items = [] }: Asker): string[] => {
    const { network, site } = clientNetworks(address);
    return site === network ? [site, ...items] : [site, network, ...items];
  };

  return {
    /** Takes one request from the budget. @returns 0, or the seconds after which the asker may try again */
    take(asker: Asker): number {
      const secondsLeft = turn();
      const names = namesOf(asker);
      const isGood = hasShare(names, perMinute, current, before);
      if (isGood) count(current, names, 1);
      onDecision?.(isGood ? 'allowed' : 'refused');
      return isGood ? 0 : secondsLeft;
    },
    /** Gives a request of this minute back that has used up nothing. */
    giveBack(asker: Asker): void {
      turn();
      const names = namesOf(asker);
      if (hasTaken(current, names)) count(current, names, -1);
    },
  };
}

/** @param limit of all askers on this level together */
function hasShare([name, ...rest]: readonly string[], limit: number, now?: Level, before?: Level): boolean {
  if (name === undefined) return true;
  const total = now?.total ?? 0;
  const asker = now?.askers.get(name);
  const divided = limit * DIVIDED;
  const share = Math.max(1, divided / Math.max(MIN_ASKERS, now?.askers.size ?? 0, before?.askers.size ?? 0));
  const isGood = asker ? total < divided && asker.total + 1 <= share : total < limit;
  return isGood && hasShare(rest, share, asker, before?.askers.get(name));
}

const hasTaken = (level: Level | undefined, [name, ...rest]: readonly string[]): boolean =>
  level !== undefined && level.total > 0 && (name === undefined || hasTaken(level.askers.get(name), rest));

function count(level: Level, [name, ...rest]: readonly string[], change: 1 | -1): void {
  level.total += change;
  if (name === undefined) return;
  const asker = level.askers.get(name) ?? newLevel();
  count(asker, rest, change);
  if (asker.total > 0) level.askers.set(name, asker);
  else level.askers.delete(name);
}
