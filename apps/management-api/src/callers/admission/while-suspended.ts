import type { RequestHandler } from 'express';
import { callerOf } from '../authentication/caller-of-request.ts';
import { notActive, roleWhileSuspended, type WhileSuspended } from '../standing/not-active.ts';
import { findOrganization, findRole, findStanding } from './admission.ts';

/**
 * Refuses callers whose organization is suspended or deleted, except members whose role may call the operation even then.
 * Runs before every operation.
 * @param openTo the weakest role that may call it even then; undefined: nobody may
 * @throws {Problem} 403 `organization_suspended`, `organization_deleted`
 */
export function refuseWhileSuspended(openTo: WhileSuspended | undefined): RequestHandler {
  return (_req, res, next) => {
    const standing = findStanding(res);
    if (standing && standing.organization.status !== 'active') {
      // The role of the request is newer than what is remembered, and the one must not replace the other's refusal.
      const known = roleWhileSuspended(standing, callerOf(res));
      const role = known && (findRole(res) ?? known);
      const isOpen = openTo !== undefined && (role === 'owner' || role === openTo);
      if (!isOpen) throw notActive(standing.organization);
    }
    next();
  };
}

/**
 * Refuses bodies that take no rights away, while the organization is suspended or deleted. Mounted behind
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
