import { z } from 'zod';
import type { Standings } from '../../callers/standing/standings.ts';
import { Reason } from '../../domain/reason.ts';
import { versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { optionalJson } from '../../http/api/request-body.ts';
import type { OrganizationLifeCycle } from './life-cycle.ts';
import { DeleteOrganization, OrganizationBody } from './organization.ts';

const SuspendOrganization = z.strictObject({ reason: Reason.optional() });
const found = { description: 'The organization', schema: OrganizationBody, headers: ['ETag'] } as const;

/**
 * Returns the operations that suspend, reactivate, delete and restore the organization. Only owners have their scope.
 */
export function organizationLifeCycleOperations(deps: {
  lifeCycle: OrganizationLifeCycle;
  standings: Standings;
}): Operation[] {
  const { lifeCycle, standings } = deps;
  return [
    operation('suspendOrganization', 'post', '/organization/suspend', {
      tag: 'Organization',
      summary: 'Suspend the organization',
      description:
        'Refuses requests of its members from now on, here and at the tool hub, which also ends their sessions, tokens and running calls. Owners can still read members and the audit trail, revoke access, and reactivate the organization. Idempotent.',
      access: 'org:write',
      isSecurity: true,
      body: optionalJson(SuspendOrganization),
      responses: { 200: found },
      handle: async ({ organizationId, makeChange, body }) => {
        const stored = await makeChange((change) => lifeCycle.suspend(change, 'owner', body.reason));
        standings.forget(organizationId);
        return versioned(stored);
      },
    }),
    operation('reactivateOrganization', 'post', '/organization/reactivate', {
      tag: 'Organization',
      summary: 'End the suspension of the organization',
      description:
        'Reactivates an organization that an owner has suspended. Users must sign in at the tool hub again, and connect their accounts again. Idempotent.',
      access: 'org:write',
      whileSuspended: 'owner',
      responses: { 200: found },
      problems: { 403: ['suspended_by_operator'] },
      handle: async ({ organizationId, makeChange }) => {
        const stored = await makeChange((change) => lifeCycle.reactivate(change, 'owner'));
        standings.forget(organizationId);
        return versioned(stored);
      },
    }),
    operation('deleteOrganization', 'delete', '/organization', {
      tag: 'Organization',
      summary: 'Delete the organization',
      description:
        'Refuses requests of its members, as a suspension does. An owner can restore it within 30 days, until `purge_at`; its domains must then be verified again. `confirm` must be the name of the organization. Idempotent.',
      access: 'org:write',
      isSecurity: true,
      query: DeleteOrganization,
      ifMatch: true,
      responses: { 202: { ...found, description: 'The deleted organization' } },
      problems: { 409: ['confirmation_mismatch'] },
      handle: async ({ organizationId, makeChange, ifMatch, query }) => {
        const stored = await makeChange((change) => lifeCycle.remove(change, ifMatch, query.confirm));
        standings.forget(organizationId);
        return { ...versioned(stored), status: 202 as const };
      },
    }),
    operation('restoreOrganization', 'post', '/organization/restore', {
      tag: 'Organization',
      summary: 'Restore the deleted organization',
      description:
        'Possible until `purge_at`. An organization that was suspended before its deletion is suspended again. Idempotent.',
      access: 'org:write',
      whileSuspended: 'owner',
      responses: { 200: found },
      handle: async ({ organizationId, makeChange }) => {
        const stored = await makeChange((change) => lifeCycle.restore(change));
        standings.forget(organizationId);
        return versioned(stored);
      },
    }),
  ];
}
