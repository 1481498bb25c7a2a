import { pageOf } from '@legate/pagination';
import { noContent, ok, placed } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { optionalJson } from '../api/request-body.ts';
import { ListByAge } from '../storage/by-age.ts';
import { PutSiteAgent, SiteAgent, type SiteAgents } from './site-agents.ts';

/** The agents that a site embeds. */
export const siteAgentOperations = (siteAgents: SiteAgents): Operation[] => [
  operation('listSiteAgents', 'get', '/sites/{site_id}/agents', {
    tag: 'Sites',
    summary: 'List the agents of a site',
    access: 'sites:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of links', schema: pageOf(SiteAgent) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await siteAgents.list(organizationId, params.site_id, query)),
  }),
  operation('putSiteAgent', 'put', '/sites/{site_id}/agents/{agent_id}', {
    tag: 'Sites',
    summary: 'Embed an agent in a site',
    description: 'A body is optional. A new default replaces the old one.',
    access: 'sites:write',
    body: optionalJson(PutSiteAgent),
    responses: {
      200: { description: 'The existing link', schema: SiteAgent },
      201: { description: 'The new link', schema: SiteAgent },
    },
    change: async (change, { params, body }) => {
      const { link, added } = await siteAgents.put(change, params.site_id, params.agent_id, body.is_default);
      return placed(added, link);
    },
  }),
  operation('deleteSiteAgent', 'delete', '/sites/{site_id}/agents/{agent_id}', {
    tag: 'Sites',
    summary: 'Take an agent from a site',
    access: 'sites:write',
    responses: { 204: { description: 'The site embeds it no longer' } },
    change: async (change, { params }) => {
      await siteAgents.remove(change, params.site_id, params.agent_id);
      return noContent;
    },
  }),
];
