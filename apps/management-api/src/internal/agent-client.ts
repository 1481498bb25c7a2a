import type { OrganizationId } from '@legate/ids';
import { type AgentClientRecord, isAgentClientId } from '@legate/management-contract';
import type { TenantDatabase } from '@legate/postgres';
import { statement } from '../storage/statement.ts';

const PLACE = statement(
  'agent_client_place',
)`SELECT organization_id AS "organizationId" FROM find_agent_client($1)`;
const FIND = statement('agent_client_registered')`SELECT json_strip_nulls(json_build_object(
  'client_id', k.client_id, 'organization_id', k.organization_id, 'agent_id', k.agent_id, 'name', k.name,
  'redirect_uris', k.redirect_uris, 'token_endpoint_auth_method', k.auth_method,
  'secret_hashes', CASE WHEN k.secret_hash IS NULL THEN '[]'::json ELSE json_build_array(encode(k.secret_hash, 'hex')) END,
  'jwks', k.jwks)) AS client
FROM agent_clients k WHERE k.organization_id = $1 AND k.client_id = $2 AND k.auth_method IS NOT NULL`;

/**
 * Finds a client that any organization has registered for an agent; only the hub may use it.
 * @throws {DatabaseUnavailable}
 */
export type ReadAgentClient = (clientId: string) => Promise<AgentClientRecord | undefined>;

export const createReadAgentClient =
  (tenants: TenantDatabase): ReadAgentClient =>
  async (clientId) => {
    if (!isAgentClientId(clientId)) return undefined;
    const places = await tenants.queryAsTenant<{ organizationId: OrganizationId }>('', PLACE(clientId));
    const organizationId = places[0]?.organizationId;
    if (organizationId === undefined) return undefined;
    const find = FIND(organizationId, clientId);
    const [found] = await tenants.queryAsTenant<{ client: AgentClientRecord }>(organizationId, find);
    return found?.client;
  };
