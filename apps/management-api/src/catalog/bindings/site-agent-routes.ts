import { pageOf } from '@legate/pagination';
import { noContent, ok, placedVersion, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { putPreconditions } from '../../http/api/preconditions.ts';
import { optionalJson } from '../../http/api/request-body.ts';
import { ListByAge } from '../../storage/by-age.ts';
import { ListedSiteAgent, PutSiteAgent, SiteAgent, type SiteAgents } from './site-agents.ts';

const found = { description: 'The link', schema: SiteAgent, headers: ['ETag'] } as const;

/** Returns the operations for the agents that a site embeds. */
export const siteAgentOperations = (siteAgents: SiteAgents): Operation[] => [
  operation('listSiteAgents', 'get', '/sites/{site_id}/agents', {
    tag: 'Sites',
    summary: 'List the agents of a site',
    access: 'sites:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of links', schema: pageOf(ListedSiteAgent) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await siteAgents.list(organizationId, params.site_id, query)),
  }),
  operation('getSiteAgent', 'get', '/sites/{site_id}/agents/{agent_id}', {
    tag: 'Sites',
    summary: 'Get the link of an agent to a site',
    access: 'sites:read',
    responses: { 200: found },
    handle: async ({ organizationId, params }) =>
      versioned(await siteAgents.find(organizationId, params.site_id, params.agent_id)),
  }),
  operation('putSiteAgent', 'put', '/sites/{site_id}/agents/{agent_id}', {
    tag: 'Sites',
    summary: 'Embed an agent in a site',
    description: 'The body is optional. A new default replaces the old one.',
    access: 'sites:write',
    body: optionalJson(PutSiteAgent),
    ifMatch: true,
    ifNoneMatch: true,
    responses: {
      200: { ...found, description: 'The existing link' },
      201: { ...found, description: 'The new link' },
    },
    change: async (change, { params, body, req }) => {
      const { site_id, agent_id } = params;
      const { link, added } = await siteAgents.put(
        change,
        site_id,
        agent_id,
        putPreconditions(req),
        body.is_default,
      );
      return placedVersion(added, link);
    },
  }),
  operation('deleteSiteAgent', 'delete', '/sites/{site_id}/agents/{agent_id}', {
    tag: 'Sites',
    summary: 'Remove an agent from a site',
    access: 'sites:write',
    ifMatch: true,
    responses: { 204: { description: 'The site no longer embeds the agent' } },
    change: async (change, { params, ifMatch }) => {
      await siteAgents.remove(change, params.site_id, params.agent_id, ifMatch);
      return noContent;
    },
  }),
];
