import { createActivePrincipals } from './active-principals.ts';
import type { RateLimiter, Usage } from './limiter.ts';
import { createSharedWindows, type SharedRequest } from './shared-windows.ts';

/** Part of an organization's limit that one user may use while other users call, too */
export const USER_SHARE_PERCENT = 50;

/** The limit that was reached, or that is closer: that of the organization, or that of one user. */
export type LimitScope = 'organization' | 'user';

/** The state of a window after a request of one of several principals, with the figures of the closer limit. */
export interface SharedUsage extends Usage {
  readonly scope: LimitScope;
  /** Requests that one principal may make in a window; undefined if the caller is alone */
  readonly ownLimit?: number;
}

export type FairShare = ReturnType<typeof createFairShare>;

/**
 * Counts requests of principals who share a window. If a process has seen two or more of them within two minutes, none
 * may use more than a part of the window; a single principal may use all of it. Requests beyond a share do not reduce
 * the others' part.
 * @param options.limiter used for both counts, in windows of a minute
 * @param options.sharePercent 100: each principal may use all of it
 */
export function createFairShare(options: { limiter: RateLimiter; clock: () => Date; sharePercent: number }) {
  const { limiter, sharePercent } = options;
  const now = () => options.clock().getTime();
  const active = createActivePrincipals({ now });
  const windows = createSharedWindows({ limiter, now });

  const shareOf = (limit: number): number => Math.max(1, Math.floor((limit * sharePercent) / 100));

  function refusal(resetAt: number, { limit }: SharedRequest, ownLimit: number): SharedUsage {
    const resetAfterSeconds = Math.max(1, Math.ceil(resetAt - now() / 1000));
    return { limit, remaining: 0, resetAt, resetAfterSeconds, exceeded: true, scope: 'user', ownLimit };
  }

  return {
    /** Returns true if another principal of the group was seen within two minutes. */
    hasOthers: active.hasOthers,

    /** Counts one request, even one beyond the limit, but not one beyond the principal's share. */
    async consume(request: SharedRequest): Promise<SharedUsage> {
      const { group, key, principal, limit } = request;
      const isShared = active.note(group, principal);
      const own = shareOf(limit);
      if (!isShared || own >= limit) return { ...(await limiter.consume(key, limit)), scope: 'organization' };

      const counts = await windows.count(request, own);
      if ('spentUntil' in counts) return refusal(counts.spentUntil, request, own);
      if (counts.part.exceeded) await limiter.giveBack?.(key);
      return nearer(counts.all, counts.part, own);
    },

    /** Returns the state for a principal without counting. */
    async peek({ group, key, principal, limit }: SharedRequest): Promise<SharedUsage> {
      const all = await limiter.peek(key, limit);
      const own = shareOf(limit);
      if (own >= limit || !active.hasOthers(group, principal)) return { ...all, scope: 'organization' };
      const isBegun = all.remaining < limit;
      const resetAt = windows.endOf(key) ?? all.resetAt;
      const part = isBegun
        ? await limiter.peek(windows.keyOf(key, principal, resetAt), own)
        : { ...all, remaining: own };
      return nearer(all, part, own);
    },
  };
}

function nearer(all: Usage, part: Usage, ownLimit: number): SharedUsage {
  const isOwn = part.exceeded || (!all.exceeded && part.remaining < all.remaining);
  return {
    ...all,
    ownLimit,
    ...(isOwn
      ? { remaining: part.remaining, exceeded: part.exceeded, scope: 'user' }
      : { scope: 'organization' }),
  };
}
