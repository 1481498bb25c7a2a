import type { Standings } from '../admission/standings.ts';
import { versioned } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { mergePatch } from '../api/request-body.ts';
import { DeleteOrganization, OrganizationBody, UpdateOrganization } from './organization.ts';
import type { Profiles } from './profile-service.ts';

/** The organization that the token names. */
export function organizationOperations(deps: { profiles: Profiles; standings: Standings }): Operation[] {
  const { profiles, standings } = deps;
  const found = { description: 'The organization', schema: OrganizationBody, headers: ['ETag'] } as const;
  return [
    operation('getOrganization', 'get', '/organization', {
      tag: 'Organization',
      summary: 'Get the organization',
      access: 'org:read',
      responses: { 200: found },
      handle: async ({ organizationId }) => versioned(await profiles.find(organizationId)),
    }),
    operation('updateOrganization', 'patch', '/organization', {
      tag: 'Organization',
      summary: 'Rename the organization, or set how its members get their roles',
      access: 'org:write',
      body: mergePatch(UpdateOrganization),
      ifMatch: true,
      responses: { 200: found },
      handle: async ({ organizationId, makeChange, ifMatch, body }) => {
        const stored = await makeChange((change) => profiles.update(change, ifMatch, body));
        standings.forget(organizationId);
        return versioned(stored);
      },
    }),
    operation('deleteOrganization', 'delete', '/organization', {
      tag: 'Organization',
      summary: 'Delete the organization',
      description: 'Suspends at once; the organization may be purged after 30 days. `confirm` is its name.',
      // The right to write the organization is the owners' alone.
      access: 'org:write',
      query: DeleteOrganization,
      ifMatch: true,
      responses: { 202: { ...found, description: 'The organization, suspended' } },
      problems: { 409: ['confirmation_mismatch'] },
      handle: async ({ organizationId, makeChange, ifMatch, query }) => {
        const stored = await makeChange((change) => profiles.remove(change, ifMatch, query.confirm));
        standings.forget(organizationId);
        return { ...versioned(stored), status: 202 as const };
      },
    }),
  ];
}
