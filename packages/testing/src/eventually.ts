import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Time after which a wait fails. Awaited values appear sooner than this even on a slow machine. */
const CEILING_MS = 30_000;
const PAUSE_MS = 20;

/** Time limit for the start of a process, when a slow machine starts several at once. */
export const START_UP_MS = 60_000;

export interface Patience {
  /** Time limit of the whole wait; 30 seconds by default */
  readonly timeoutMs?: number;
  /** Pause between two calls of `look` */
  readonly pauseMs?: number;
  /** Resolves after `ms`; may reject when `signal` is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

type Truthy<Value> = Exclude<Value, false | 0 | 0n | '' | null | undefined>;
const LATE = Symbol('late');
const NOTHING = Symbol('nothing');

/**
 * Polls `look` until it returns a truthy value, or one that `until` accepts, and returns that. An error of `look` ends
 * the wait.
 * @param what completes "waited for …" in the error
 * @throws {Error} if the time is over; the message has `what` and the last value
 */
export function eventually<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  options?: Patience & { readonly until?: undefined },
): Promise<Truthy<Seen>>;
export function eventually<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  options: Patience & { readonly until: (seen: Seen) => boolean },
): Promise<Seen>;
export async function eventually<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  options: Patience & { readonly until?: ((seen: Seen) => boolean) | undefined } = {},
): Promise<Seen> {
  const { until = Boolean, timeoutMs = CEILING_MS, pauseMs = PAUSE_MS, sleep = sleepOnTimer } = options;
  const ended = new AbortController();
  const isLate = sleep(timeoutMs, ended.signal).then(
    () => LATE,
    () => LATE,
  );
  let last: Seen | typeof NOTHING = NOTHING;
  try {
    for (;;) {
      const seen = await Promise.race([look(), isLate]);
      if (seen === LATE) break;
      last = seen as Seen;
      if (until(last)) return last;
      if ((await Promise.race([sleep(pauseMs, ended.signal), isLate])) === LATE) break;
    }
  } finally {
    ended.abort();
  }
  const saw = last === NOTHING ? 'the first look has not returned' : `saw last: ${show(last)}`;
  throw new Error(`waited ${timeoutMs / 1000} s for ${what}; ${saw}`);
}

const sleepOnTimer = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });

const show = (value: unknown) => inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY });
