import { AgentId, isId, type OrganizationId, SiteId } from '@legate/ids';
import { extensionOf } from '@legate/operations';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import { notFound } from '@legate/service';
import { z } from 'zod';
import type { Change } from '../../changes/change.ts';
import { Instant } from '../../domain/instant.ts';
import type { Stored, VersionCheck } from '../../domain/stored.ts';
import { type ListByAge, orderByAge } from '../../storage/by-age.ts';
import { isoTime, nameOf } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { Agents } from '../agents/service.ts';
import type { Sites } from '../sites/service.ts';

/** A link between a site and an agent that it embeds. */
export const SiteAgent = z
  .strictObject({
    site_id: SiteId,
    agent_id: AgentId,
    is_default: z.boolean().describe('The agent that is shown if the page names none; at most one per site'),
    created_at: Instant,
  })
  .meta({ id: 'SiteAgent', description: 'A link between a site and an agent that it embeds.' });
export type SiteAgent = z.output<typeof SiteAgent>;

/** An item of a list, which can be shown without further requests. */
export const ListedSiteAgent = SiteAgent.extend({ site_name: z.string(), agent_name: z.string() }).meta(
  extensionOf(SiteAgent, {
    id: 'ListedSiteAgent',
    description: 'A link in a list, with the current names of site and agent.',
  }),
);
export type ListedSiteAgent = z.output<typeof ListedSiteAgent>;

export const PutSiteAgent = z.strictObject({ is_default: z.boolean().default(false) });

const MEMBERS = `'site_id', r.site_id, 'agent_id', r.agent_id, 'is_default', r.is_default,
  'created_at', ${isoTime('created_at')}`;
const LINK_JSON = `json_build_object(${MEMBERS})`;
export const LISTED_LINK_JSON = `json_build_object(${MEMBERS},
  'site_name', ${nameOf('sites', 'site_id')}, 'agent_name', ${nameOf('agents', 'agent_id')})`;
/** Links of agents that are not deleted */
const LINKS = `site_agents r JOIN agents a
  ON a.organization_id = r.organization_id AND a.id = r.agent_id AND a.deleted_at IS NULL`;
const OF_SITE = 'r.organization_id = $1 AND r.site_id = $2';
const STORED = `${LINK_JSON} AS value, r.version::text AS version`;
const FIND = statement('site_agent_find')`SELECT ${STORED} FROM ${LINKS}
WHERE ${OF_SITE} AND r.agent_id = $3`;
/** Includes deleted agents: a restored one must not become a second default. */
const CLEAR_DEFAULT = statement('site_agents_clear_default')`UPDATE site_agents SET is_default = false
WHERE organization_id = $1 AND site_id = $2 AND is_default AND agent_id <> $3`;
const PUT = statement(
  'site_agent_put',
)`INSERT INTO site_agents AS r (organization_id, site_id, agent_id, is_default)
VALUES ($1, $2, $3, $4)
ON CONFLICT (site_id, agent_id) DO UPDATE SET is_default = excluded.is_default RETURNING ${STORED}`;
const REMOVE = statement('site_agent_remove')`DELETE FROM site_agents
WHERE organization_id = $1 AND site_id = $2 AND agent_id = $3`;

export type SiteAgents = ReturnType<typeof createSiteAgents>;

/** Manages links. Throws 404 for a site or an agent that does not exist or belongs to another organization. */
export function createSiteAgents(deps: { tenants: TenantDatabase; sites: Sites; agents: Agents }) {
  const { tenants, sites, agents } = deps;

  async function findLink(connection: TenantConnection, values: unknown[]) {
    return (await connection.query<Stored<SiteAgent>>(FIND(...values)))[0];
  }

  return {
    async list(organizationId: OrganizationId, siteId: SiteId, query: ListByAge) {
      await sites.find(organizationId, siteId);
      return queryPage<ListedSiteAgent>(tenants, organizationId, query, {
        name: `site_agents_list_${query.sort}`,
        from: LINKS,
        where: OF_SITE,
        values: [siteId],
        orderBy: orderByAge(query.sort, 'agent_id'),
        json: LISTED_LINK_JSON,
      });
    },
    async find(organizationId: OrganizationId, siteId: SiteId, agentId: AgentId) {
      await sites.find(organizationId, siteId);
      const find = FIND(organizationId, siteId, agentId);
      const [found] = isId(agentId)
        ? await tenants.queryAsTenant<Stored<SiteAgent>>(organizationId, find)
        : [];
      if (!found) throw notLinked();
      return found;
    },
    /** @throws {Problem} 412 */
    async put(change: Change, siteId: SiteId, agentId: AgentId, check: VersionCheck, isDefault: boolean) {
      const { connection, organizationId } = change;
      const site = await sites.lock(change, siteId);
      // Locked, because otherwise the agent could be deleted as unused in the meantime.
      const agent = await agents.lock(change, agentId);
      const id = [organizationId, siteId, agentId];
      const before = await findLink(connection, id);
      check(before?.version);
      if (before?.value.is_default === isDefault) return { link: before, added: false };
      if (isDefault) await connection.query(CLEAR_DEFAULT(...id));
      const [saved] = await connection.query<Stored<SiteAgent>>(PUT(...id, isDefault));
      if (!saved) throw new Error('a link was not returned');
      await change.record({
        action: 'site.agent_set',
        targets: [
          { type: 'site', id: siteId, name: site.name },
          { type: 'agent', id: agentId, name: agent.name },
        ],
        changes: { is_default: { from: before?.value.is_default ?? null, to: isDefault } },
      });
      return { link: saved, added: !before };
    },
    /** @throws {Problem} 412 */
    async remove(change: Change, siteId: SiteId, agentId: AgentId, check: VersionCheck) {
      const { connection, organizationId } = change;
      const site = await sites.lock(change, siteId);
      const id = [organizationId, siteId, agentId];
      const before = isId(agentId) ? await findLink(connection, id) : undefined;
      if (!before) throw notLinked();
      check(before.version);
      await connection.query(REMOVE(...id));
      await change.record({
        action: 'site.agent_removed',
        targets: [
          { type: 'site', id: siteId, name: site.name },
          { type: 'agent', id: agentId, name: null },
        ],
      });
    },
  };
}

const notLinked = () => notFound('The site has no such agent.');
