import type { ConnectorId, OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { UnreadableEntry } from '@legate/secure-store';
import type { SecretCipher, SecretPlace } from './secret-cipher.ts';

/** Counts of the stored secrets: a key can be removed when no secret uses it. */
export interface ResealReport {
  /** Encrypted with the newest key already, or changed meanwhile, which also uses it */
  readonly current: number;
  readonly resealed: number;
  /** Connectors whose secret cannot be opened: altered, or sealed with a key that is not configured */
  readonly unreadable: readonly {
    readonly organizationId: OrganizationId;
    readonly connectorId: ConnectorId;
  }[];
}

const BATCH = 100;
const LIST =
  'SELECT organization_id AS "organizationId", id AS "connectorId" FROM connectors_with_secrets($1, $2)';
const COLUMNS = [
  { column: 'secret', of: undefined },
  { column: 'fallback_secret', of: 'fallback' },
] as const;

/**
 * Re-encrypts every connector's secrets with the newest key, including those of disabled and deleted connectors, which
 * no hub reads and which would otherwise keep an old key in use for ever. Safe to run while the service runs, and
 * repeatedly.
 */
export async function resealSecrets(deps: {
  tenants: TenantDatabase;
  cipher: SecretCipher;
}): Promise<ResealReport> {
  const { tenants, cipher } = deps;
  const counts = { current: 0, resealed: 0 };
  const unreadable: { organizationId: OrganizationId; connectorId: ConnectorId }[] = [];

  async function reseal(place: SecretPlace, column: string, sealed: Buffer): Promise<void> {
    const { secret, stale } = cipher.open(place, sealed);
    if (!stale) {
      counts.current += 1;
      return;
    }
    // Only if unchanged since it was read: a new secret must not be overwritten. Does not count as a change of the
    // connector.
    const rows = await tenants.queryAsTenant(place.organizationId, {
      name: `reseal_${column}`,
      text: `UPDATE connectors SET ${column} = $4 WHERE organization_id = $1 AND id = $2 AND ${column} = $3 RETURNING 1`,
      values: [place.organizationId, place.connectorId, sealed, cipher.seal(place, secret)],
    });
    counts[rows.length > 0 ? 'resealed' : 'current'] += 1;
  }

  for (let after = '', found = BATCH; found === BATCH; ) {
    const ids = await tenants.queryAsTenant<{ organizationId: OrganizationId; connectorId: ConnectorId }>(
      '',
      {
        name: 'connectors_with_secrets',
        text: LIST,
        values: [after, BATCH],
      },
    );
    for (const { organizationId, connectorId } of ids) {
      const [row] = await tenants.queryAsTenant<Record<string, Buffer | null>>(organizationId, {
        name: 'reseal_find',
        text: 'SELECT secret, fallback_secret FROM connectors WHERE organization_id = $1 AND id = $2',
        values: [organizationId, connectorId],
      });
      for (const { column, of } of COLUMNS) {
        const sealed = row?.[column];
        if (!sealed) continue;
        try {
          await reseal({ organizationId, connectorId, of }, column, sealed);
        } catch (err) {
          if (!(err instanceof UnreadableEntry)) throw err;
          unreadable.push({ organizationId, connectorId });
        }
      }
      after = connectorId;
    }
    found = ids.length;
  }
  return { ...counts, unreadable };
}
