import { DatabaseUnavailable } from '@legate/postgres';
import { PLAN_LIMITS, type RateLimiter, requestsPerMinute } from '@legate/rate-limit';
import { limitRequests, type Subject } from '@legate/rate-limit/express';
import { Problem } from '@legate/service';
import type { RequestHandler, Response } from 'express';
import { type Caller, callerOf } from '../caller/caller.ts';
import type { Organizations } from './service.ts';
import type { Organization } from './store.ts';

/** What is known of the caller's organization while the request is counted. */
interface Admission {
  readonly organization?: Organization;
  readonly outage?: DatabaseUnavailable;
}

/**
 * Counts a request against its organization's plan, then lets it in if the organization may act. In this order, so that
 * every authenticated answer carries the rate limit headers, refusals and outages too.
 * @throws {RateLimitExceeded}
 * @throws {Problem} 403 `organization_id_required` or `organization_suspended`
 * @throws {DatabaseUnavailable}
 */
export function admitOrganization(deps: {
  organizations: Organizations;
  limiter: RateLimiter;
  customPlanDefault: number;
}): RequestHandler[] {
  return [
    async (_req, res, next) => {
      res.locals.admission = await loadOrganization(callerOf(res), deps.organizations);
      next();
    },
    limitRequests(deps.limiter, (res) => subjectOf(callerOf(res), admissionOf(res), deps.customPlanDefault)),
    (_req, res, next) => {
      const { organization, outage } = admissionOf(res);
      if (outage) throw outage;
      if (!organization) {
        throw new Problem(403, 'organization_id_required', 'Organization required', {
          detail: 'Request a token for an organization: this one has no organization_id.',
        });
      }
      if (organization.status !== 'active') {
        throw new Problem(403, 'organization_suspended', 'Organization suspended');
      }
      next();
    },
  ];
}

/** The organization of an admitted request. */
export function organizationOf(res: Response): Organization {
  const { organization } = admissionOf(res);
  if (!organization) throw new Error('the request was not admitted');
  return organization;
}

function admissionOf(res: Response): Admission {
  return res.locals.admission as Admission;
}

async function loadOrganization(caller: Caller, organizations: Organizations): Promise<Admission> {
  if (caller.organizationId === undefined) return {};
  try {
    return { organization: await organizations.get(caller.organizationId) };
  } catch (err) {
    if (err instanceof DatabaseUnavailable) return { outage: err };
    throw err;
  }
}

/** Without an organization the user counts, at the free number; with an unknown plan the organization does. */
function subjectOf(caller: Caller, { organization }: Admission, customPlanDefault: number): Subject {
  const key =
    caller.organizationId === undefined
      ? `user:${caller.issuer}:${caller.subject}`
      : `org:${caller.organizationId}`;
  if (!organization) return { key, policy: 'free', limit: PLAN_LIMITS.free };
  const { plan } = organization;
  return { key, policy: plan.name, limit: requestsPerMinute(plan, customPlanDefault) };
}
