import type { OrganizationId } from '@legate/ids';
import { z } from 'zod';
import { Instant } from '../../domain/instant.ts';
import { type Scope, scopesFor } from '../../domain/rights.ts';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import { isoTimeOf } from '../../storage/columns.ts';
import type { TenantReader } from '../../storage/reader.ts';

const Count = z.number().int().min(0);

const Overview = z
  .strictObject({
    connectors: z
      .strictObject({
        total: Count,
        ready: Count.describe('Enabled connectors whose last check succeeded'),
        error: Count.describe('Enabled connectors whose last check failed'),
        disabled: Count,
      })
      .nullable(),
    agents: z
      .strictObject({
        total: Count,
        active: Count,
        bound: Count.describe('Active agents that may use an enabled connector'),
      })
      .nullable(),
    sites: Count.nullable(),
    members: Count.nullable().describe('Active members'),
    domains: z.strictObject({ verified: Count, pending: Count }).nullable(),
    first_call_at: Instant.nullable().describe('When a call was first allowed; `null` also if none was'),
  })
  .meta({
    id: 'Overview',
    description: 'Counts of what the organization has. `null`: the caller lacks the scope for it.',
  });
type Overview = z.output<typeof Overview>;

const OF = 'organization_id = $1';
const PRESENT = `${OF} AND deleted_at IS NULL`;

/** Each member is separate, with the scope that it requires; one statement reads the allowed ones. */
const PARTS = {
  connectors: {
    scope: 'connectors:read',
    text: `(SELECT json_build_object('total', count(*), 'ready', count(*) FILTER (WHERE enabled AND status = 'ready'),
      'error', count(*) FILTER (WHERE enabled AND status = 'error'), 'disabled', count(*) FILTER (WHERE NOT enabled))
    FROM connectors WHERE ${PRESENT})`,
  },
  agents: {
    scope: 'agents:read',
    text: `(SELECT json_build_object('total', count(*), 'active', count(*) FILTER (WHERE a.status = 'active'),
      'bound', count(*) FILTER (WHERE a.status = 'active' AND EXISTS (
        SELECT FROM agent_connectors b JOIN connectors c ON c.organization_id = b.organization_id
          AND c.id = b.connector_id AND c.deleted_at IS NULL AND c.enabled
        WHERE b.organization_id = a.organization_id AND b.agent_id = a.id)))
    FROM agents a WHERE ${PRESENT})`,
  },
  sites: { scope: 'sites:read', text: `(SELECT to_json(count(*)) FROM sites WHERE ${PRESENT})` },
  members: {
    scope: 'members:read',
    text: `(SELECT to_json(count(*)) FROM members WHERE ${OF} AND removed_at IS NULL)`,
  },
  domains: {
    scope: 'domains:read',
    text: `(SELECT json_build_object('verified', count(*) FILTER (WHERE state = 'verified'),
      'pending', count(*) FILTER (WHERE state = 'pending')) FROM domains WHERE ${OF})`,
  },
  first_call_at: {
    scope: 'usage:read',
    text: `(SELECT to_json(${isoTimeOf('min(first_allowed_at)')})
    FROM call_counts WHERE ${OF})`,
  },
} as const satisfies Record<keyof Overview, { scope: Scope; text: string }>;

export const openOverview = ({ tenants }: Platform): { readonly operations: Operation[] } => ({
  operations: [overviewOperation(tenants)],
});

const overviewOperation = (tenants: TenantReader): Operation =>
  operation('getOverview', 'get', '/overview', {
    tag: 'Organization',
    summary: 'Get an overview of the organization',
    description: 'A field is null if the caller lacks its scope, such as `sites:read`.',
    access: 'org:read',
    responses: { 200: { description: 'What the organization has', schema: Overview } },
    handle: async ({ organizationId, role, caller }) =>
      // Not from a replica, because a checklist is read right after one of its steps was completed.
      ok(await read(tenants, organizationId, scopesFor(role, caller.scope))),
  });

async function read(
  tenants: TenantReader,
  organizationId: OrganizationId,
  scopes: readonly Scope[],
): Promise<Overview> {
  const parts = Object.entries(PARTS).map(([name, { scope, text }]) => {
    const isShown = scopes.includes(scope);
    return { isShown, column: `${isShown ? text : 'NULL::json'} AS ${name}` };
  });
  const shown = parts.map(({ isShown }) => (isShown ? '1' : '0')).join('');
  const [row] = await tenants.queryAsTenant<Overview>(organizationId, {
    name: `overview_${shown}`,
    text: `SELECT ${parts.map(({ column }) => column).join(', ')} WHERE $1::text IS NOT NULL`,
    values: [organizationId],
  });
  if (!row) throw new Error('a row was not returned');
  return row;
}
