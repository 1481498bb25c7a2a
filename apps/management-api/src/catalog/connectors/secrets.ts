import type { ConnectorId, OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { statement } from '../../storage/statement.ts';
import type { SecretCipher, SecretPlace } from './secret-cipher.ts';

/**
 * Reads a connector's secret, for workloads that act for the organization; no route for users may call it. A
 * secret encrypted with an older key is re-encrypted, so that the old key can be removed.
 * @returns undefined for a connector without a secret, and for an unknown connector
 * @throws {UnreadableEntry} the secret was altered, moved from another connector, or encrypted with a missing
 * key
 */
export type ReadSecret = (
  organizationId: OrganizationId,
  connectorId: ConnectorId,
  of?: SecretPlace['of'],
) => Promise<string | undefined>;

/**
 * Returns the statements for one of the two secrets. `replace` changes a secret only if it is unchanged since it
 * was read, because a new secret must not be overwritten. A re-encryption does not count as a change of the connector.
 */
export const statementsOf = (column: 'secret' | 'fallback_secret') => ({
  find: statement(`connector_${column}_find`)`SELECT ${column} AS secret FROM connectors
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL AND ${column} IS NOT NULL`,
  replace: statement(`connector_${column}_replace`)`UPDATE connectors SET ${column} = $4
WHERE organization_id = $1 AND id = $2 AND ${column} = $3 RETURNING 1`,
});
const OWN = statementsOf('secret');
const OF_FALLBACK = statementsOf('fallback_secret');

export function createReadSecret(deps: { tenants: TenantDatabase; cipher: SecretCipher }): ReadSecret {
  const { tenants, cipher } = deps;
  return async (organizationId, connectorId, of) => {
    const place = { organizationId, connectorId, of };
    const { find, replace } = of === 'fallback' ? OF_FALLBACK : OWN;
    const sent = find(organizationId, connectorId);
    const [row] = await tenants.queryAsTenant<{ secret: Buffer }>(organizationId, sent);
    if (!row) return undefined;
    const { secret, stale } = cipher.open(place, row.secret);
    if (stale) {
      const sealed = cipher.seal(place, secret);
      await tenants.queryAsTenant(organizationId, replace(organizationId, connectorId, row.secret, sealed));
    }
    return secret;
  };
}
