import type { OrganizationId } from '@legate/ids';
import { RateLimitExceeded, rateLimitHeaders, type SharedUsage } from '@legate/rate-limit';
import type { RequestHandler, Response } from 'express';
import { callerOf } from '../authentication/caller-of-request.ts';
import type { PlanCount, PlanUsage } from './plan-count.ts';
import type { IsSecurity } from './security-operations.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Set for a request beyond the plan that may use the reserve */
      beyondPlan?: PlanUsage;
    }
  }
}

/** The conditions under which an operation takes rights away */
export interface SecurityRule {
  /** Decides by the request body, which has been read; undefined if the operation always takes rights away */
  readonly takesRightsAway?: ((sent: unknown) => boolean) | undefined;
  /** True if the operation takes rights away from the caller alone */
  readonly isOwn: boolean;
}

type CountUsage = (organizationId: OrganizationId, isThrottled: boolean) => void;

/**
 * Counts each request, whatever its outcome, and sets the rate limit headers. A request beyond the plan that may take
 * rights away passes for now: `countSecurity` decides about it once the caller's permission is checked.
 * @throws {RateLimitExceeded}
 */
export function countRequest(deps: {
  plan: PlanCount;
  isSecurity: IsSecurity;
  countUsage: CountUsage;
}): RequestHandler {
  return async (req, res, next) => {
    const counted = await deps.plan.count(res);
    const { policy, usage } = counted;
    const { organizationId } = callerOf(res);
    if (usage.exceeded && organizationId !== undefined && deps.isSecurity(req)) {
      res.locals.beyondPlan = counted;
      res.set(rateLimitHeaders(policy, { ...usage, exceeded: false }));
      return next();
    }
    if (organizationId !== undefined) deps.countUsage(organizationId, usage.exceeded);
    res.set(rateLimitHeaders(policy, usage));
    if (usage.exceeded) throw exceeded(policy, usage);
    next();
  };
}

/**
 * Counts a request beyond the plan in the reserve, which only callers who may take rights away can use: another
 * user's script cannot use up the reserve, as it can the plan.
 * @throws {RateLimitExceeded}
 */
export function countSecurity(
  deps: { plan: PlanCount; countUsage: CountUsage },
  { takesRightsAway, isOwn }: SecurityRule,
): RequestHandler {
  async function useReserve(res: Response, beyond: PlanUsage, isMeant: boolean): Promise<void> {
    const { organizationId } = callerOf(res);
    const { policy, usage } = isMeant ? await deps.plan.countReserve(res, isOwn) : beyond;
    if (organizationId !== undefined) deps.countUsage(organizationId, usage.exceeded);
    if (!usage.exceeded) return;
    // A retry can succeed at the end of either window.
    const resetAfterSeconds = Math.min(usage.resetAfterSeconds, beyond.usage.resetAfterSeconds);
    res.set('Retry-After', String(resetAfterSeconds));
    throw exceeded(policy, { ...usage, resetAfterSeconds });
  }
  return (req, res, next) => {
    const { beyondPlan } = res.locals;
    if (!beyondPlan) return next();
    return useReserve(res, beyondPlan, takesRightsAway?.(req.body) ?? true).then(() => next());
  };
}

const exceeded = (policy: string, { resetAfterSeconds, scope }: SharedUsage): RateLimitExceeded =>
  new RateLimitExceeded(resetAfterSeconds, policy, scope);
