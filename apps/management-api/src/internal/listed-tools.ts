import { type ConnectorId, isId, type OrganizationId } from '@legate/ids';
import { type ListedTools, MAX_LISTED_TOOLS } from '@legate/management-contract';
import type { TenantDatabase } from '@legate/postgres';
import { statement } from '../storage/statement.ts';

/**
 * Stores the names of tools that a connector has listed. Does nothing for a connector that does not exist, or has
 * another tool server by now.
 * @throws {DatabaseUnavailable}
 */
export type NoteListedTools = (
  organizationId: OrganizationId,
  connectorId: string,
  listed: ListedTools,
) => Promise<void>;

const FORGET = statement('listed_tools_forget')`DELETE FROM connector_tools t USING connectors c
WHERE t.organization_id = $1 AND t.connector_id = $2 AND c.organization_id = $1 AND c.id = $2
  AND t.resource_url <> c.resource_url`;
/** Two hubs may write at the same time, in which case the limit may be exceeded by a few names, which is harmless. */
const NOTE = statement('listed_tools_note')`INSERT INTO connector_tools
  (organization_id, connector_id, name, resource_url)
SELECT c.organization_id, c.id, listed.name, c.resource_url
FROM connectors c, unnest($4::text[]) AS listed (name)
WHERE c.organization_id = $1 AND c.id = $2 AND c.resource_url = $3 AND c.deleted_at IS NULL
LIMIT greatest(0, $5::int - (
  SELECT count(*)::int FROM connector_tools WHERE organization_id = $1 AND connector_id = $2
))
ON CONFLICT DO NOTHING`;

export const createNoteListedTools =
  (tenants: TenantDatabase): NoteListedTools =>
  async (organizationId, connectorId, { resource_url, names }) => {
    if (!isId<ConnectorId>(connectorId)) return;
    await tenants.queryAsTenant(organizationId, FORGET(organizationId, connectorId));
    const note = NOTE(organizationId, connectorId, resource_url, [...new Set(names)], MAX_LISTED_TOOLS);
    await tenants.queryAsTenant(organizationId, note);
  };
