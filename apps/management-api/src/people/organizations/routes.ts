import type { Standings } from '../../callers/standing/standings.ts';
import { versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { mergePatch } from '../../http/api/request-body.ts';
import { OrganizationBody, UpdateOrganization } from './organization.ts';
import type { Profiles } from './profile-service.ts';

/** Returns the operations on the organization that the token names. */
export function organizationOperations(deps: { profiles: Profiles; standings: Standings }): Operation[] {
  const { profiles, standings } = deps;
  const found = { description: 'The organization', schema: OrganizationBody, headers: ['ETag'] } as const;
  return [
    operation('getOrganization', 'get', '/organization', {
      tag: 'Organization',
      summary: 'Get the organization',
      access: 'org:read',
      whileSuspended: 'admin',
      responses: { 200: found },
      handle: async ({ organizationId }) => versioned(await profiles.find(organizationId)),
    }),
    operation('updateOrganization', 'patch', '/organization', {
      tag: 'Organization',
      summary: 'Rename the organization, or change its role settings and agent policy',
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
  ];
}
