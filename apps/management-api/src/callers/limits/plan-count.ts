import {
  type FairShare,
  PLAN_LIMITS,
  type PlanName,
  RateLimitExceeded,
  type RateLimiter,
  requestsPerMinute,
  type SharedRequest,
  type SharedUsage,
} from '@legate/rate-limit';
import type { Response } from 'express';
import type { Caller } from '../../domain/caller.ts';
import { findOrganization } from '../admission/admission.ts';
import { callerOf } from '../authentication/caller-of-request.ts';

/** The remaining requests of a plan, or of the caller's share of it */
export interface PlanUsage {
  readonly policy: PlanName;
  readonly usage: SharedUsage;
}

/** The reserve, in percent of the plan, for operations that take rights away */
const RESERVE_PERCENT = 10;
const MIN_RESERVE = 10;
/** More than a console needs to show the remaining requests. These requests do not count against the plan. */
const LOOKS_PER_MINUTE = 60;

export type PlanCount = ReturnType<typeof createPlanCount>;

/**
 * Counts requests against the plan of their organization, of which each of several callers may use a share. The free
 * plan's number applies to users without an organization, and while nothing is known of the organization.
 * @param deps.decide called with each decision, and the limit that it applies to
 */
export function createPlanCount(deps: {
  share: FairShare;
  limiter: RateLimiter;
  decide: (limit: 'requests' | 'security') => (decision: 'allowed' | 'refused') => void;
}) {
  const { share, limiter } = deps;
  const decided = { requests: deps.decide('requests'), security: deps.decide('security') };

  function decide(limit: keyof typeof decided, usage: SharedUsage): SharedUsage {
    decided[limit](usage.exceeded ? 'refused' : 'allowed');
    return usage;
  }

  return {
    /** Counts one request, even one beyond the plan. */
    async count(res: Response): Promise<PlanUsage> {
      const { policy, request } = requestOf(res);
      return { policy, usage: decide('requests', await share.consume(request)) };
    },

    /**
     * Counts a request that takes rights away and is beyond the plan, against the reserve.
     * @param isOwn true if it takes rights from the caller alone, as anyone may: callers have a separate reserve for
     * that
     */
    async countReserve(res: Response, isOwn: boolean): Promise<PlanUsage> {
      const { policy, request } = requestOf(res);
      const limit = Math.max(MIN_RESERVE, Math.floor((request.limit * RESERVE_PERCENT) / 100));
      const key = `sec:${callerOf(res).organizationId}`;
      if (isOwn) {
        const own = await limiter.consume(`${key}:${request.principal}`, MIN_RESERVE);
        return { policy, usage: decide('security', { ...own, scope: 'user' }) };
      }
      return { policy, usage: decide('security', await share.consume({ ...request, key, limit })) };
    },

    /**
     * Returns the remaining requests without counting one. @throws {RateLimitExceeded} if the caller looks too often
     */
    async look(res: Response): Promise<PlanUsage> {
      const { policy, request } = requestOf(res);
      const looks = await limiter.consume(`look:${request.key}:${request.principal}`, LOOKS_PER_MINUTE);
      if (looks.exceeded) throw new RateLimitExceeded(looks.resetAfterSeconds);
      return { policy, usage: await share.peek(request) };
    },
  };
}

/** Returns the key under which requests are counted: the caller's organization, or the user if there is none. */
export const holderOf = ({ organizationId, issuer, subject }: Caller): string =>
  organizationId === undefined ? `user:${issuer}:${subject}` : `org:${organizationId}`;

function requestOf(res: Response): { policy: PlanName; request: SharedRequest } {
  const caller = callerOf(res);
  const key = holderOf(caller);
  const organization = findOrganization(res);
  const [policy, limit] = organization
    ? [organization.plan.name, requestsPerMinute(organization.plan)]
    : (['free', PLAN_LIMITS.free] as const);
  return { policy, request: { group: key, key, principal: caller.subject, limit } };
}
