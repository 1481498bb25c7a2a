import type { OrganizationDocumentInput } from '@legate/management-contract';
import { z } from 'zod';
import { AGENT_ID, CONNECTOR_CLIENT_ID, CONNECTOR_CLIENT_SECRET, SCOPE, TOOL } from './scene.ts';

/** Ids and paths of the connectors, by organization id */
export const Organizations = z.record(z.string(), z.array(z.object({ id: z.string(), path: z.string() })));
export type Organizations = z.output<typeof Organizations>;

/** The document that the hub reads for an organization: its connectors, and an agent bound to the tool of each. */
export const organizationDocument = (
  organizationId: string,
  connectors: Organizations[string],
  origin: string,
): OrganizationDocumentInput => ({
  // The benchmark measures calls, not refusals.
  organization: { id: organizationId, status: 'active', plan: 'custom', requests_per_minute: 100_000_000 },
  connectors: connectors.map(({ id, path }) => ({
    id,
    organization_id: organizationId,
    name: id,
    resource_url: `${origin}${path}`,
    mcp_url: `${origin}${path}/mcp`,
    auth_method: 'id-jag',
    scopes: [SCOPE],
    client_id: CONNECTOR_CLIENT_ID,
    secret: CONNECTOR_CLIENT_SECRET,
    secret_unreadable: false,
  })),
  agents: [
    {
      id: AGENT_ID,
      status: 'active',
      connectors: connectors.map(({ id }) => ({ connector_id: id, scopes: null, tools: [TOOL] })),
    },
  ],
  removed_users: [],
});
