import type { OrganizationId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import {
  PLAN_LIMITS,
  type PlanName,
  type RateLimiter,
  requestsPerMinute,
  type Slots,
} from '@legate/rate-limit';
import { limitRequests, type Subject } from '@legate/rate-limit/express';
import type { RequestHandler, Response } from 'express';
import { callerOf } from '../authentication/caller-of-request.ts';
import type { Caller } from '../domain/caller.ts';
import { problem } from '../domain/problem-codes.ts';
import { type Role, roleFromToken } from '../domain/rights.ts';
import { storable } from '../domain/storable-text.ts';
import type { Membership } from './membership-store.ts';
import type { Memberships } from './memberships.ts';
import type { Organization } from './organization-store.ts';
import type { Organizations } from './organizations.ts';
import { membershipRevoked } from './problems.ts';

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
  readonly membership?: Membership;
  readonly outage?: DatabaseUnavailable;
}

/**
 * Loads what decides about a request. An outage is not thrown yet: the request is counted first, so that every
 * authenticated response has the rate limit headers.
 */
export function loadAdmission(deps: {
  organizations: Organizations;
  memberships: Memberships;
}): RequestHandler {
  return async (_req, res, next) => {
    res.locals.admission = await load(callerOf(res), deps);
    next();
  };
}

/**
 * Counts a request against its organization's plan, then admits it if organization and user may act. In this order, so
 * that refusals count too. The user's role comes from the membership, otherwise from the token.
 * @param deps.countUsage called for each request that the limiter counts for an organization
 * @throws {RateLimitExceeded}
 * @throws {Problem} 429 `concurrency_exceeded`
 * @throws {Problem} 403 `organization_suspended`, or `membership_revoked`, even if the token is still valid
 * @throws {DatabaseUnavailable}
 */
export function admit(deps: {
  limiter: RateLimiter;
  slots: Slots;
  concurrentRequests: number;
  countUsage: (organizationId: OrganizationId, isThrottled: boolean) => void;
  memberships: Pick<Memberships, 'noteSeen'>;
}): RequestHandler[] {
  return [
    limitRequests(deps.limiter, rateLimitSubject, (res, { exceeded }) => {
      const { organizationId } = callerOf(res);
      if (organizationId !== undefined) deps.countUsage(organizationId, exceeded);
    }),
    limitConcurrency(deps.slots, deps.concurrentRequests),
    async (_req, res, next) => {
      throwOutage(res);
      const { organization, membership } = admissionOf(res);
      if (organization && organization.status !== 'active') {
        throw problem('organization_suspended');
      }
      if (membership?.state === 'removed') {
        throw membershipRevoked();
      }
      const { issuer, subject, roles, email, name } = callerOf(res);
      res.locals.role = membership?.state === 'active' ? membership.role : roleFromToken(roles);
      if (organization && membership) {
        await deps.memberships.noteSeen(membership, {
          organizationId: organization.id,
          userId: subject,
          issuer,
          email: storable(email),
          name: storable(name),
        });
      }
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
    const release = slots.take([{ key: holderOf(callerOf(res)), max }]);
    if (!release) {
      throw problem('concurrency_exceeded', {
        detail: `${max} requests are being answered already.`,
        headers: { 'Retry-After': '1' },
        extensions: { retry_after: 1 },
      });
    }
    // The client may have disconnected while the request was counted.
    if (res.destroyed) release();
    else res.once('close', release);
    next();
  };
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

async function load(
  { organizationId, subject }: Caller,
  deps: { organizations: Organizations; memberships: Memberships },
): Promise<Admission> {
  if (organizationId === undefined) return {};
  // In parallel: while the database hangs, each takes as long as its time-out.
  const organization = deps.organizations.get(organizationId);
  const membership = deps.memberships.get(organizationId, subject);
  try {
    const [knownOrganization, knownMembership] = await Promise.all([organization, membership]);
    return { organization: knownOrganization, membership: knownMembership };
  } catch (err) {
    if (!(err instanceof DatabaseUnavailable)) throw err;
    const known = await organization.catch(() => undefined);
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
