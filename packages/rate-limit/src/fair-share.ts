import { createActivePrincipals } from './active-principals.ts';
import { type RateLimiter, type Usage, WINDOW_SECONDS } from './limiter.ts';

/** The limit that was reached, or is nearer: that of all callers of an organization, or of one of them. */
export type LimitScope = 'organization' | 'user';

/** The state of a window after a request of one of several principals: the figures of the nearer limit. */
export interface SharedUsage extends Usage {
  readonly scope: LimitScope;
  /** Requests that one principal may make in a window; undefined where the caller is alone */
  readonly ownLimit?: number;
}

/** A request to be counted. */
export interface SharedRequest {
  /** The organization, whose principals share */
  readonly group: string;
  /** Key of the window that they share; several windows of a group have different ones */
  readonly key: string;
  /** Unlike for different principals of the group */
  readonly principal: string;
  /** Requests per window of all of them together */
  readonly limit: number;
}

/** A running window of a key, as this process has last heard of it. */
interface Window {
  /** Epoch seconds */
  readonly resetAt: number;
  /** How many requests of each principal have been counted at least, those on their way included */
  readonly counted: Map<string, number>;
}

const MAX_WINDOWS = 10_000;
/** Two windows of a key end at least a minute apart, and processes disagree about an end by milliseconds. */
const SAME_WINDOW_SECONDS = WINDOW_SECONDS / 2;

export type FairShare = ReturnType<typeof createFairShare>;

/**
 * Counts requests of principals who share a window. While a process has seen two or more of them within two minutes, none
 * may use more than a part of it; one alone has all of it. Requests beyond a share leave the others' part as it is.
 *
 * The share is counted under `{key}:{principal}:{window}`, beside the common count and not behind it, so that it costs no
 * further round trip. Both have the same window: with one of its own, a principal could use two shares in one window of the
 * others.
 * @param options.limiter for both counts, in windows of a minute
 * @param options.sharePercent 100: each principal may use all of it
 */
export function createFairShare(options: { limiter: RateLimiter; clock: () => Date; sharePercent: number }) {
  const { limiter, sharePercent } = options;
  const now = () => options.clock().getTime();
  const active = createActivePrincipals({ now });
  const windows = new Map<string, Window>();
  /** The first requests of windows that this process does not know yet */
  const opening = new Map<string, Promise<unknown>>();

  const shareOf = (limit: number): number => Math.max(1, Math.floor((limit * sharePercent) / 100));

  const running = (key: string): Window | undefined => {
    const window = windows.get(key);
    return window && window.resetAt * 1000 > now() ? window : undefined;
  };

  /** The window with this end, by which requests of all processes are counted under one key. */
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
    count((counted.get(principal) ?? 0) + 1); // before the response, for the requests that come meanwhile
    const usage = await limiter.consume(keyOf(key, principal, resetAt), own);
    count(usage.exceeded ? own : own - usage.remaining);
    return usage;
  }

  /**
   * Counts the first request of a window, then its own share. Others wait until the window is known: a flood would else be
   * counted before its share is.
   */
  async function open(request: SharedRequest, own: number): Promise<{ all: Usage; part: Usage }> {
    const { key, limit } = request;
    const known = limiter.consume(key, limit).then((all) => ({
      all,
      counting: countOwn(windowAt(key, all.resetAt), request, own),
    }));
    opening.set(key, known);
    const { all, counting } = await known.finally(() => opening.delete(key));
    return { all, part: await counting };
  }

  async function countBoth(
    assumed: Window,
    request: SharedRequest,
    own: number,
  ): Promise<{ all: Usage; part: Usage }> {
    const { key, limit } = request;
    const [all, part] = await Promise.all([limiter.consume(key, limit), countOwn(assumed, request, own)]);
    const window = windowAt(key, all.resetAt);
    // The window may just have ended.
    return { all, part: window === assumed ? part : await countOwn(window, request, own) };
  }

  const isSpent = (window: Window | undefined, { principal }: SharedRequest, own: number): boolean =>
    (window?.counted.get(principal) ?? 0) >= own;

  function refusal({ resetAt }: Window, { limit }: SharedRequest, ownLimit: number): SharedUsage {
    const resetAfterSeconds = Math.max(1, Math.ceil(resetAt - now() / 1000));
    return { limit, remaining: 0, resetAt, resetAfterSeconds, exceeded: true, scope: 'user', ownLimit };
  }

  const nearer = (all: Usage, part: Usage, ownLimit: number): SharedUsage => {
    const isOwn = part.exceeded || (!all.exceeded && part.remaining < all.remaining);
    return {
      ...all,
      ownLimit,
      ...(isOwn
        ? { remaining: part.remaining, exceeded: part.exceeded, scope: 'user' }
        : { scope: 'organization' }),
    };
  };

  return {
    /** Returns true where another principal of the group was seen within two minutes. */
    hasOthers: active.hasOthers,

    /** Counts one request, even one beyond the limit, but not one beyond the principal's share. */
    async consume(request: SharedRequest): Promise<SharedUsage> {
      const { group, key, principal, limit } = request;
      const isShared = active.note(group, principal);
      const own = shareOf(limit);
      if (!isShared || own >= limit) return { ...(await limiter.consume(key, limit)), scope: 'organization' };

      const opened = running(key) ? undefined : opening.get(key);
      if (opened) await opened;
      const assumed = running(key);
      if (assumed && isSpent(assumed, request, own)) return refusal(assumed, request, own);
      const { all, part } = await (assumed ? countBoth(assumed, request, own) : open(request, own));
      if (part.exceeded) await limiter.giveBack?.(key);
      return nearer(all, part, own);
    },

    /** Returns the state for a principal without counting. */
    async peek({ group, key, principal, limit }: SharedRequest): Promise<SharedUsage> {
      const all = await limiter.peek(key, limit);
      const own = shareOf(limit);
      if (own >= limit || !active.hasOthers(group, principal)) return { ...all, scope: 'organization' };
      const isBegun = all.remaining < limit;
      const resetAt = running(key)?.resetAt ?? all.resetAt;
      const part = isBegun
        ? await limiter.peek(keyOf(key, principal, resetAt), own)
        : { ...all, remaining: own };
      return nearer(all, part, own);
    },
  };
}
