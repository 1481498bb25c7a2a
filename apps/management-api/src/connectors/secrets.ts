import type { TenantDatabase } from '@legate/postgres';
import type { SecretCipher } from './secret-cipher.ts';

/**
 * Reads a connector's secret, for workloads that act for the organization; no route for users may call it.
 * A secret that was sealed with an older key is sealed anew, so that the key can go.
 * @returns undefined for a connector without a secret, and for none
 * @throws {UnreadableEntry} altered, moved from another connector, or sealed with a key that is gone
 */
export type ReadSecret = (organizationId: string, connectorId: string) => Promise<string | undefined>;

const FIND = `SELECT secret FROM connectors
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL AND secret IS NOT NULL`;
/** Only while it is what was read: a new secret must not be undone. Not a change of the connector. */
const REPLACE = 'UPDATE connectors SET secret = $4 WHERE organization_id = $1 AND id = $2 AND secret = $3';

export function createReadSecret(deps: { tenants: TenantDatabase; cipher: SecretCipher }): ReadSecret {
  const { tenants, cipher } = deps;
  return async (organizationId, connectorId) => {
    const place = { organizationId, connectorId };
    const values = [organizationId, connectorId];
    const [row] = await tenants.queryAsTenant<{ secret: Buffer }>(organizationId, {
      name: 'connector_secret_find',
      text: FIND,
      values,
    });
    if (!row) return undefined;
    const { secret, stale } = cipher.open(place, row.secret);
    if (stale) {
      const sealed = cipher.seal(place, secret);
      await tenants.queryAsTenant(organizationId, {
        name: 'connector_secret_replace',
        text: REPLACE,
        values: [...values, row.secret, sealed],
      });
    }
    return secret;
  };
}
