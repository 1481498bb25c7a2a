import type { OrganizationId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import {
  PLAN_LIMITS,
  type PlanName,
  type RateLimiter,
  requestsPerMinute,
  type SlotClaim,
  type Slots,
} from '@legate/rate-limit';
import { limitRequests, type Subject } from '@legate/rate-limit/express';
import type { Request, RequestHandler, Response } from 'express';
import { callerOf } from '../authentication/caller-of-request.ts';
import type { Author } from '../domain/author.ts';
import type { Caller } from '../domain/caller.ts';
import { problem } from '../domain/problem-codes.ts';
import { claimedRole, type Role } from '../domain/rights.ts';
import type { ResolveRole } from './member-role.ts';
import type { Organization } from './organization-store.ts';
import type { Standing } from './standing-store.ts';
import type { Standings } from './standings.ts';

declare global {
  namespace Express {
    interface Locals {
      admission?: Admission;
      role?: Role;
    }
  }
}

/** What is known about the caller's organization while the request is counted. */
interface Admission {
  readonly organization?: Organization;
  readonly standing?: Standing;
  readonly outage?: DatabaseUnavailable;
}

/**
 * Loads what decides about a request. An outage is not thrown yet: the request is counted first, so that every
 * authenticated response has the rate limit headers.
 */
export function loadAdmission(standings: Standings): RequestHandler {
  return async (_req, res, next) => {
    res.locals.admission = await load(callerOf(res), standings);
    next();
  };
}

/**
 * Counts a request against its organization's plan, then admits it if organization and user may act. In this order, so
 * that refusals count too.
 * @param deps.countUsage called for each request that the limiter counts for an organization
 * @throws {RateLimitExceeded}
 * @throws {Problem} 429 `concurrency_exceeded`
 * @throws {Problem} 403 `organization_suspended`, or what `ResolveRole` throws, even if the token is still valid
 * @throws {DatabaseUnavailable}
 */
export function admit(deps: {
  limiter: RateLimiter;
  slots: Slots;
  concurrentRequests: number;
  countUsage: (organizationId: OrganizationId, isThrottled: boolean) => void;
  resolveRole: ResolveRole;
  authorOf: (req: Request, res: Response) => Author;
}): RequestHandler[] {
  return [
    limitRequests(deps.limiter, rateLimitSubject, (res, { exceeded }) => {
      const { organizationId } = callerOf(res);
      if (organizationId !== undefined) deps.countUsage(organizationId, exceeded);
    }),
    limitConcurrency(deps.slots, deps.concurrentRequests),
    async (req, res, next) => {
      throwOutage(res);
      const { standing } = admissionOf(res);
      const caller = callerOf(res);
      if (standing && standing.organization.status !== 'active') throw problem('organization_suspended');
      res.locals.role = standing
        ? await deps.resolveRole(standing, caller, () => deps.authorOf(req, res))
        : (claimedRole(caller.roles) ?? 'viewer');
      next();
    },
  ];
}

/**
 * Holds a slot of the caller's organization until the response is sent or its connection is closed, so that no
 * organization uses all database connections and memory of the process. Nothing queues.
 */
function limitConcurrency(slots: Slots, max: number): RequestHandler {
  return (_req, res, next) => {
    if (!holdSlot(res, slots, { key: holderOf(callerOf(res)), max })) {
      throw problem('concurrency_exceeded', {
        detail: `${max} requests are being answered already.`,
        headers: { 'Retry-After': '1' },
        extensions: { retry_after: 1 },
      });
    }
    next();
  };
}

/**
 * Holds a slot until the response is sent or its connection is closed.
 * @returns false where the holder has as many as it may have
 */
export function holdSlot(res: Response, slots: Slots, claim: SlotClaim): boolean {
  const release = slots.take([claim]);
  if (!release) return false;
  // The client may have gone while the request was counted: `close` does not come again.
  if (res.destroyed) release();
  else res.once('close', release);
  return true;
}

/** Without an organization the user is counted. */
const holderOf = ({ organizationId, issuer, subject }: Caller): string =>
  organizationId === undefined ? `user:${issuer}:${subject}` : `org:${organizationId}`;

/** @throws {DatabaseUnavailable} where nothing is known of the organization or the user */
export function throwOutage(res: Response): void {
  const { outage } = admissionOf(res);
  if (outage) throw outage;
}

/** @throws {Problem} 403 `organization_id_required` */
export const requireOrganization: RequestHandler = (_req, res, next) => {
  if (!admissionOf(res).organization) {
    throw problem('organization_id_required', {
      detail: 'Request a token for an organization: this one has no organization_id.',
    });
  }
  next();
};

/** The organization of an admitted request; undefined where the token names none. */
export function findOrganization(res: Response): Organization | undefined {
  return admissionOf(res).organization;
}

/** The organization of a request that `requireOrganization` has let pass. */
export function organizationOf(res: Response): Organization {
  const organization = findOrganization(res);
  if (!organization) throw new Error('the request was not admitted');
  return organization;
}

/** Returns the role of an admitted caller. */
export function roleOf(res: Response): Role {
  const { role } = res.locals;
  if (role === undefined) throw new Error('the request was not admitted');
  return role;
}

function admissionOf(res: Response): Admission {
  const { admission } = res.locals;
  if (!admission) throw new Error('admission was not loaded');
  return admission;
}

async function load({ organizationId, subject }: Caller, standings: Standings): Promise<Admission> {
  if (organizationId === undefined) return {};
  try {
    const standing = await standings.get(organizationId, subject);
    return { organization: standing.organization, standing };
  } catch (err) {
    if (!(err instanceof DatabaseUnavailable)) throw err;
    const known = standings.lastKnownOrganization(organizationId);
    return { ...(known && { organization: known }), outage: err };
  }
}

/**
 * Without an organization the user is counted, with the free plan's number; with an unknown plan the organization is.
 */
export function rateLimitSubject(res: Response): Subject & { readonly policy: PlanName } {
  const key = holderOf(callerOf(res));
  const organization = findOrganization(res);
  if (!organization) return { key, policy: 'free', limit: PLAN_LIMITS.free };
  const { plan } = organization;
  return { key, policy: plan.name, limit: requestsPerMinute(plan) };
}
