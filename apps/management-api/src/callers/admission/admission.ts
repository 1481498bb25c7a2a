import { DatabaseUnavailable } from '@legate/postgres';
import type { Request, RequestHandler, Response } from 'express';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import { problem } from '../../domain/problem-codes.ts';
import { claimedRole, type Role } from '../../domain/rights.ts';
import { callerOf, setCaller } from '../authentication/caller-of-request.ts';
import type { ConfirmedClients } from '../machines/confirmed-clients.ts';
import { accountUnknown, actingAs } from '../machines/machine-caller.ts';
import type { KeyStanding } from '../standing/machine-store.ts';
import type { ResolveRole } from '../standing/member-role.ts';
import { notActive, roleWhileSuspended } from '../standing/not-active.ts';
import type { Organization } from '../standing/organization-store.ts';
import type { Standing } from '../standing/standing-store.ts';
import type { Standings } from '../standing/standings.ts';

declare global {
  namespace Express {
    interface Locals {
      admission?: Admission;
      role?: Role;
    }
  }
}

/** The data of the caller's organization that was loaded for the request */
interface Admission {
  readonly organization?: Organization;
  readonly standing?: Standing;
  readonly outage?: DatabaseUnavailable;
}

/**
 * Loads the data that admission needs. An outage is not thrown yet: the request is counted first, so that every
 * authenticated response has the rate limit headers.
 */
export function loadAdmission(
  standings: Standings,
  clients: Pick<ConfirmedClients, 'findOrganization'>,
): RequestHandler {
  return async (_req, res, next) => {
    const { keyStanding } = res.locals;
    if (keyStanding) {
      res.locals.admission = ofKey(keyStanding);
    } else {
      const { caller, admission } = await load(callerOf(res), standings, clients);
      setCaller(res, caller);
      res.locals.admission = admission;
    }
    next();
  };
}

/**
 * Counts a request against its organization's plan, then admits it if organization and user may act. The order
 * matters, so that refusals count too.
 * @param deps.count see `countRequest`
 * @param deps.enter see `enterInTurn`
 * @throws {RateLimitExceeded}
 * @throws {Problem} 429 `concurrency_exceeded`
 * @throws {Problem} 403 `organization_suspended` or `organization_deleted`, but not for callers who may use some
 * operations even then (`refuseWhileSuspended`); or the refusals of `ResolveRole`, even if the token is still valid
 * @throws {DatabaseUnavailable}
 */
export function admit(deps: {
  count: RequestHandler;
  enter: RequestHandler;
  resolveRole: ResolveRole;
  authorOf: (req: Request, res: Response) => Author;
}): RequestHandler[] {
  return [
    deps.count,
    deps.enter,
    async (req, res, next) => {
      throwOutage(res);
      const { standing } = admissionOf(res);
      const caller = callerOf(res);
      const isActive = !standing || standing.organization.status === 'active';
      if (!isActive && !roleWhileSuspended(standing, caller)) throw notActive(standing.organization);
      res.locals.role = standing
        ? await deps.resolveRole(standing, caller, () => deps.authorOf(req, res))
        : (claimedRole(caller.roles) ?? 'viewer');
      next();
    },
  ];
}

/** @throws {DatabaseUnavailable} if nothing is known of the organization or the user */
export function throwOutage(res: Response): void {
  const { outage } = admissionOf(res);
  if (outage) throw outage;
}

/** @throws {Problem} 403 `organization_id_required` */
export const requireOrganization: RequestHandler = (_req, res, next) => {
  if (!admissionOf(res).organization) {
    const { looksLike, subject, unmappedClaim: claim, organizationClaim = 'organization_id' } = callerOf(res);
    if (looksLike === 'machine') throw accountUnknown(subject);
    throw problem('organization_id_required', {
      detail:
        claim === undefined
          ? `The token has no claim ${organizationClaim}, or an empty one; it names the organization (ORGANIZATION_RULE). Request a token for an organization, if the identity provider lets you choose one. Otherwise an administrator there must add the claim.`
          : `The claim ${claim} of the token is there, but its value is not in the map of ORGANIZATION_RULE. An operator can add it.`,
    });
  }
  next();
};

/** Returns the organization of an admitted request; undefined if the token names none. */
export function findOrganization(res: Response): Organization | undefined {
  return admissionOf(res).organization;
}

/** Returns the organization of a request that `requireOrganization` has admitted. */
export function organizationOf(res: Response): Organization {
  const organization = findOrganization(res);
  if (!organization) throw new Error('the request was not admitted');
  return organization;
}

/** Returns undefined if the token names no organization, or its data could not be read. */
export const findStanding = (res: Response): Standing | undefined => admissionOf(res).standing;

/** Returns undefined for a request that was not admitted, such as one that is not counted. */
export const findRole = (res: Response): Role | undefined => res.locals.role;

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

/** Returns the data that was read to find the account of the key. Keys are not members. */
const ofKey = (found: KeyStanding): Admission => ({
  organization: found.organization,
  standing: { ...found, membership: { state: 'unknown' }, deniedClients: [] },
});

async function load(
  caller: Caller,
  standings: Standings,
  clients: Pick<ConfirmedClients, 'findOrganization'>,
): Promise<{ caller: Caller; admission: Admission }> {
  let { organizationId } = caller;
  try {
    organizationId ??= await clients.findOrganization(caller);
    if (organizationId === undefined) return { caller, admission: {} };
    const found = await standings.get(organizationId, caller.subject);
    const acting = actingAs(caller, found);
    if (!acting) return { caller, admission: {} };
    const { standing } = acting;
    return { caller: acting.caller, admission: { organization: standing.organization, standing } };
  } catch (err) {
    if (!(err instanceof DatabaseUnavailable)) throw err;
    const known = organizationId && standings.lastKnownOrganization(organizationId);
    return { caller, admission: { ...(known && { organization: known }), outage: err } };
  }
}
