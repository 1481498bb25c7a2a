import { type RateLimiter, type Usage, WINDOW_SECONDS } from './limiter.ts';

/** A request to be counted. */
export interface SharedRequest {
  /** The group of principals who share a window: an organization */
  readonly group: string;
  /** Key of the shared window; different windows of a group have different keys */
  readonly key: string;
  /** The principal's name, different for each principal of the group */
  readonly principal: string;
  /** Requests per window of all principals together */
  readonly limit: number;
}

/** A running window of a key, as this process last received it from the store. */
interface Window {
  /** Epoch seconds */
  readonly resetAt: number;
  /** Minimum number of counted requests of each principal, including those in progress */
  readonly counted: Map<string, number>;
}

/** The window of all principals, and that of the requesting one */
interface Counts {
  readonly all: Usage;
  readonly part: Usage;
}

const MAX_WINDOWS = 10_000;
/** Two windows of a key end at least a minute apart, and processes disagree about an end by milliseconds. */
const SAME_WINDOW_SECONDS = WINDOW_SECONDS / 2;

/**
 * Counts a request twice: for all who share a window, and for its principal.
 *
 * The share is counted under `{key}:{principal}:{window}`, concurrently with the common count, so that it costs no
 * further round trip. Both use the same window: with a separate window, a principal could use two shares in one common
 * window.
 */
export function createSharedWindows({ limiter, now }: { limiter: RateLimiter; now: () => number }) {
  const windows = new Map<string, Window>();
  /** The first requests in windows that this process has not received from the store yet */
  const opening = new Map<string, Promise<unknown>>();

  const running = (key: string): Window | undefined => {
    const window = windows.get(key);
    return window && window.resetAt * 1000 > now() ? window : undefined;
  };

  /** Returns the window with this end, so that the requests of all processes are counted under one key. */
  function windowAt(key: string, resetAt: number): Window {
    const known = windows.get(key);
    if (known && Math.abs(known.resetAt - resetAt) < SAME_WINDOW_SECONDS) return known;
    const [oldest] = windows.keys();
    if (oldest !== undefined && windows.size >= MAX_WINDOWS) windows.delete(oldest);
    const window = { resetAt, counted: new Map<string, number>() };
    windows.set(key, window);
    return window;
  }
  const keyOf = (key: string, principal: string, resetAt: number): string =>
    `${key}:${principal}:${Math.round(resetAt / SAME_WINDOW_SECONDS)}`;

  /** Counts a request of a principal's own share. */
  async function countOwn(window: Window, { key, principal }: SharedRequest, own: number): Promise<Usage> {
    const { counted, resetAt } = window;
    const count = (atLeast: number) => counted.set(principal, Math.max(counted.get(principal) ?? 0, atLeast));
    count((counted.get(principal) ?? 0) + 1); // before the response, so that requests that arrive meanwhile see it
    const usage = await limiter.consume(keyOf(key, principal, resetAt), own);
    count(usage.exceeded ? own : own - usage.remaining);
    return usage;
  }

  /**
   * Counts the first request of a window, then its own share. Other requests wait until the window is known. Otherwise
   * a flood would be added to the common count before its share is known.
   */
  async function open(request: SharedRequest, own: number): Promise<Counts> {
    const { key, limit } = request;
    const known = limiter.consume(key, limit).then((all) => ({
      all,
      counting: countOwn(windowAt(key, all.resetAt), request, own),
    }));
    opening.set(key, known);
    const { all, counting } = await known.finally(() => opening.delete(key));
    return { all, part: await counting };
  }

  async function countBoth(assumed: Window, request: SharedRequest, own: number): Promise<Counts> {
    const { key, limit } = request;
    const [all, part] = await Promise.all([limiter.consume(key, limit), countOwn(assumed, request, own)]);
    const window = windowAt(key, all.resetAt);
    // The window may just have ended.
    return { all, part: window === assumed ? part : await countOwn(window, request, own) };
  }

  return {
    /** Returns the end in epoch seconds; undefined if this process knows no running window */
    endOf: (key: string): number | undefined => running(key)?.resetAt,

    /** @returns the key under which a principal's own requests are counted in the window with this end */
    keyOf,

    /**
     * Counts a request, unless its principal is known to have used `own` requests of the window.
     * @returns the counts, or if the share is used up, the end of the window in epoch seconds
     */
    async count(request: SharedRequest, own: number): Promise<Counts | { spentUntil: number }> {
      const { key, principal } = request;
      const opened = running(key) ? undefined : opening.get(key);
      if (opened) await opened;
      const assumed = running(key);
      if (!assumed) return open(request, own);
      if ((assumed.counted.get(principal) ?? 0) >= own) return { spentUntil: assumed.resetAt };
      return countBoth(assumed, request, own);
    },
  };
}
