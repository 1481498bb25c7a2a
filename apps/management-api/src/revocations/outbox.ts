import type { OrganizationId } from '@legate/ids';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { Concerned, Revocation } from './revocation.ts';

export interface PendingRevocation extends Revocation {
  readonly id: string;
  /** This one included */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Revocations that the hub has not confirmed yet. */
export interface Outbox {
  /** In the transaction of the change that causes them. */
  add(
    connection: TenantConnection,
    organizationId: OrganizationId,
    concerned: Concerned,
    reason: string,
    id: string,
  ): Promise<void>;
  /** Takes due revocations of all organizations; no other process gets them for `leaseMs`. */
  takeDue(atMost: number, leaseMs: number): Promise<readonly PendingRevocation[]>;
  /** After delivery, or when given up. */
  remove(revocation: PendingRevocation): Promise<void>;
  postpone(revocation: PendingRevocation, until: Date): Promise<void>;
}

/** A user whose `sub` has a colon has never been served by the hub. */
const ADD = `INSERT INTO pending_revocations (id, organization_id, connector_id, agent_id, user_id, reason, due_at, created_at)
SELECT $1, $2, $3, $4, coalesce(m.user_id, $8), $6, $7, $7
FROM (SELECT 1) one LEFT JOIN members m ON m.organization_id = $2 AND m.id = $5
WHERE coalesce(m.user_id, $8) IS NULL AND $5::text IS NULL OR coalesce(m.user_id, $8) NOT LIKE '%:%'`;
const TAKE = `SELECT id, organization_id AS "organizationId", connector_id AS "connectorId", user_id AS "userId",
  agent_id AS "agentId", reason, attempts, created_at AS "createdAt" FROM take_due_revocations($1, $2, $3)`;
const REMOVE = 'DELETE FROM pending_revocations WHERE organization_id = $1 AND id = $2';
const POSTPONE = 'UPDATE pending_revocations SET due_at = $3 WHERE organization_id = $1 AND id = $2';

type Row = { [Field in keyof PendingRevocation]: PendingRevocation[Field] | null };

export function createOutbox(deps: { tenants: TenantDatabase; clock: () => Date }): Outbox {
  const { tenants, clock } = deps;
  return {
    async add(connection, organizationId, concerned, reason, id) {
      const idOf = (kind: Concerned['kind']) =>
        concerned.kind === kind && 'id' in concerned ? concerned.id : null;
      const now = clock();
      const ids = [idOf('connector'), idOf('agent'), idOf('member')];
      const values = [id, organizationId, ...ids, reason, now, idOf('user')];
      await connection.query({ name: 'revocation_add', text: ADD, values });
    },
    async takeDue(atMost, leaseMs) {
      const now = clock();
      const values = [now, new Date(now.getTime() + leaseMs), atMost];
      const rows = await tenants.queryAsTenant<Row>('', { name: 'revocation_take', text: TAKE, values });
      return rows.map(toPending);
    },
    async remove({ organizationId, id }) {
      const values = [organizationId, id];
      await tenants.queryAsTenant(organizationId, { name: 'revocation_remove', text: REMOVE, values });
    },
    async postpone({ organizationId, id }, until) {
      const values = [organizationId, id, until];
      await tenants.queryAsTenant(organizationId, { name: 'revocation_postpone', text: POSTPONE, values });
    },
  };
}

function toPending(row: Row): PendingRevocation {
  const { id, organizationId, reason, attempts, createdAt } = row;
  if (id === null || organizationId === null || reason === null || attempts === null || createdAt === null)
    throw new Error('a revocation is incomplete');
  return {
    id,
    organizationId,
    connectorId: row.connectorId ?? undefined,
    userId: row.userId ?? undefined,
    agentId: row.agentId ?? undefined,
    reason,
    attempts,
    createdAt,
  };
}
