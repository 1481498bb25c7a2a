import type { RequestHandler } from 'express';
import { callerOf } from '../authentication/caller-of-request.ts';
import { notActive, roleWhileSuspended, type WhileSuspended } from '../standing/not-active.ts';
import { findOrganization, findRole, findStanding } from './admission.ts';

/**
 * Refuses callers whose organization is suspended or deleted, except members whose role may still call the operation.
 * Runs before every operation.
 * @param openTo the weakest role that may still call it; undefined if none may
 * @throws {Problem} 403 `organization_suspended`, `organization_deleted`
 */
export function refuseWhileSuspended(openTo: WhileSuspended | undefined): RequestHandler {
  return (_req, res, next) => {
    const standing = findStanding(res);
    if (standing && standing.organization.status !== 'active') {
      // The role of the request may be newer than the cached one, but must not replace the refusal by the other.
      const known = roleWhileSuspended(standing, callerOf(res));
      const role = known && (findRole(res) ?? known);
      const isOpen = openTo !== undefined && (role === 'owner' || role === openTo);
      if (!isOpen) throw notActive(standing.organization);
    }
    next();
  };
}

/**
 * Refuses requests that take no rights away, while the organization is suspended or deleted. Mounted after
 * `refuseWhileSuspended`, once the body is read, on operations where the body decides whether rights are taken away.
 * @throws {Problem} 403 `organization_suspended`, `organization_deleted`
 */
export function refuseBodyWhileSuspended(isSecurity: (sent: unknown) => boolean): RequestHandler {
  return (req, res, next) => {
    const organization = findOrganization(res);
    if (organization && organization.status !== 'active' && !isSecurity(req.body))
      throw notActive(organization);
    next();
  };
}
