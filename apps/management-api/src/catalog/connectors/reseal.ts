import type { TenantDatabase } from '@legate/postgres';
import { UnreadableEntry } from '@legate/secure-store';
import { statement } from '../../storage/statement.ts';
import type { SecretCipher, SecretPlace } from './secret-cipher.ts';
import { statementsOf } from './secrets.ts';

/** Counts of the stored secrets: a key can be removed when no secret uses it. */
export interface ResealReport {
  /** Encrypted with the newest key already, or changed in the meantime, which also uses that key */
  readonly current: number;
  readonly resealed: number;
  /** Connectors whose secret cannot be decrypted: it was altered, or encrypted with a key that is not configured */
  readonly unreadable: readonly Resealed[];
}

type Resealed = Pick<SecretPlace, 'organizationId' | 'connectorId'>;
type Replace = ReturnType<typeof statementsOf>['replace'];

const BATCH = 100;
const LIST = statement(
  'connectors_with_secrets',
)`SELECT organization_id AS "organizationId", id AS "connectorId"
FROM connectors_with_secrets($1, $2)`;
const FIND = statement('reseal_find')`SELECT secret, fallback_secret FROM connectors
WHERE organization_id = $1 AND id = $2`;
const COLUMNS = [
  { column: 'secret', of: undefined, replace: statementsOf('secret').replace },
  { column: 'fallback_secret', of: 'fallback', replace: statementsOf('fallback_secret').replace },
] as const;

/**
 * Re-encrypts every connector's secrets with the newest key. This includes disabled and deleted connectors,
 * which no hub reads: they would otherwise keep an old key in use forever. It can run repeatedly, and while
 * the service runs.
 */
export async function resealSecrets(deps: {
  tenants: TenantDatabase;
  cipher: SecretCipher;
}): Promise<ResealReport> {
  const { tenants, cipher } = deps;
  const counts = { current: 0, resealed: 0 };
  const unreadable: Resealed[] = [];

  async function reseal(place: SecretPlace, sealed: Buffer, replace: Replace): Promise<void> {
    const { organizationId, connectorId } = place;
    const { secret, stale } = cipher.open(place, sealed);
    const sent = stale && replace(organizationId, connectorId, sealed, cipher.seal(place, secret));
    const isReplaced = sent && (await tenants.queryAsTenant(organizationId, sent)).length > 0;
    counts[isReplaced ? 'resealed' : 'current'] += 1;
  }

  for (let after = '', found = BATCH; found === BATCH; ) {
    const ids = await tenants.queryAsTenant<Resealed>('', LIST(after, BATCH));
    for (const { organizationId, connectorId } of ids) {
      const [row] = await tenants.queryAsTenant<Record<string, Buffer | null>>(
        organizationId,
        FIND(organizationId, connectorId),
      );
      for (const { column, of, replace } of COLUMNS) {
        const sealed = row?.[column];
        if (!sealed) continue;
        try {
          await reseal({ organizationId, connectorId, of }, sealed, replace);
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
