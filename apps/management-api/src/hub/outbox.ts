import type { OrganizationId } from '@legate/ids';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import { statement } from '../storage/statement.ts';
import type { Concerned, Revocation } from './revocation.ts';

export interface PendingRevocation extends Revocation {
  readonly id: string;
  /** Number of attempts, including the current one */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Does not add a user whose `sub` contains a colon, whom the hub never serves. */
const ADD = statement('revocation_add')`INSERT INTO pending_revocations
  (id, organization_id, connector_id, agent_id, user_id, reason, due_at, created_at)
SELECT $1, $2, $3, $4, coalesce(m.user_id, $8), $6, $7, $7
FROM (SELECT 1) one LEFT JOIN members m ON m.organization_id = $2 AND m.id = $5
WHERE coalesce(m.user_id, $8) IS NULL AND $5::text IS NULL OR coalesce(m.user_id, $8) NOT LIKE '%:%'`;
const TAKE = statement(
  'revocation_take',
)`SELECT id, organization_id AS "organizationId", connector_id AS "connectorId", user_id AS "userId",
  agent_id AS "agentId", reason, attempts, created_at AS "createdAt" FROM take_due_revocations($1, $2, $3)`;
const REMOVE = statement('revocation_remove')`DELETE FROM pending_revocations
WHERE organization_id = $1 AND id = $2`;
const POSTPONE = statement('revocation_postpone')`UPDATE pending_revocations SET due_at = $3
WHERE organization_id = $1 AND id = $2`;

type Row = { [Field in keyof PendingRevocation]: PendingRevocation[Field] | null };

export type Outbox = ReturnType<typeof createOutbox>;

/** Stores revocations that the hub has not confirmed yet. */
export function createOutbox(deps: { tenants: TenantDatabase; clock: () => Date }) {
  const { tenants, clock } = deps;
  return {
    /** Adds a revocation in the transaction of the change that causes it. */
    async add(
      connection: TenantConnection,
      organizationId: OrganizationId,
      concerned: Concerned,
      reason: string,
      id: string,
    ) {
      const idOf = (kind: Concerned['kind']) =>
        concerned.kind === kind && 'id' in concerned ? concerned.id : null;
      const now = clock();
      const ids = [idOf('connector'), idOf('agent'), idOf('member')];
      await connection.query(ADD(id, organizationId, ...ids, reason, now, idOf('user')));
    },
    /** Returns due revocations of all organizations, and hides them from other processes for `leaseMs`. */
    async takeDue(atMost: number, leaseMs: number) {
      const now = clock();
      const take = TAKE(now, new Date(now.getTime() + leaseMs), atMost);
      const rows = await tenants.queryAsTenant<Row>('', take);
      return rows.map(toPending);
    },
    /** Removes a revocation that was delivered or dropped. */
    async remove({ organizationId, id }: PendingRevocation) {
      await tenants.queryAsTenant(organizationId, REMOVE(organizationId, id));
    },
    async postpone({ organizationId, id }: PendingRevocation, until: Date) {
      await tenants.queryAsTenant(organizationId, POSTPONE(organizationId, id, until));
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
