import { ConnectorId, OrganizationId } from '@legate/ids';
import { Slug, slugFrom } from '@legate/management-contract';
import type { TenantDatabase } from '@legate/postgres';
import { z } from 'zod';
import { isNotPurged } from '../../callers/standing/organization-store.ts';
import { Scopes, Secret } from '../../catalog/connectors/connector.ts';
import type { SecretCipher } from '../../catalog/connectors/secret-cipher.ts';
import { slugsOf } from '../../catalog/connectors/store.ts';
import { statement } from '../../storage/statement.ts';

/** A connector of the method id-jag for each of the organizations. */
export const SeedConnector = z.strictObject({
  id: ConnectorId,
  organization_ids: z.array(OrganizationId).min(1),
  name: z.string().trim().min(1).max(100),
  /** Absent, or if the slug is taken: derived from the name */
  slug: Slug.optional(),
  resource_url: z.url({ protocol: /^https?$/ }).max(2048),
  client_id: z.string().min(1).max(255),
  secret: Secret,
  scopes: Scopes.default([]),
});
export type SeedConnector = z.output<typeof SeedConnector>;

/**
 * Adds a connector to each organization. Each start updates the tool server's URL, the client and its secret
 * from the file; everything else, such as name and scopes, belongs to the administrator after the first
 * start. A connector that was deleted or has another method is not changed.
 */
const SAVE = statement(
  'connector_seed',
)`INSERT INTO connectors AS c (organization_id, id, name, resource_url, client_id, secret, secret_updated_at, scopes, slug)
SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::bytea, clock_timestamp(), $7::text[], $8::text
WHERE NOT EXISTS (SELECT FROM connectors other WHERE other.organization_id = $1::text AND other.id <> $2::text
  AND other.resource_url = $4::text AND other.deleted_at IS NULL)
AND ${isNotPurged('$1::text')}
ON CONFLICT (organization_id, id) DO UPDATE SET resource_url = excluded.resource_url,
  mcp_url = CASE WHEN c.resource_url = excluded.resource_url THEN c.mcp_url END, client_id = excluded.client_id,
  secret = excluded.secret, secret_updated_at = excluded.secret_updated_at,
  version = c.version + 1, updated_at = clock_timestamp()
WHERE c.deleted_at IS NULL AND c.auth_method = 'id-jag'`;

/** @throws {Problem} 503 if there are no keys to encrypt the secrets */
export async function saveConnectors(
  connectors: readonly SeedConnector[],
  deps: { tenants: TenantDatabase; cipher: SecretCipher },
): Promise<void> {
  for (const { id: connectorId, organization_ids, ...connector } of connectors) {
    const { name, resource_url, client_id, scopes, slug: wanted } = connector;
    for (const organizationId of organization_ids) {
      const secret = deps.cipher.seal({ organizationId, connectorId }, connector.secret);
      await deps.tenants.withTenant(organizationId, async (connection) => {
        const taken = await slugsOf({ connection, organizationId });
        const slug =
          wanted !== undefined && !taken.has(wanted) ? wanted : slugFrom(name, (other) => taken.has(other));
        await connection.query(
          SAVE(organizationId, connectorId, name, resource_url, client_id, secret, scopes, slug),
        );
      });
    }
  }
}
