import type { Change } from '../../changes/change.ts';
import { statement } from '../../storage/statement.ts';

const FORGET = statement('tombstone_remove')`DELETE FROM organization_tombstones
WHERE organization_id = $1 RETURNING organization_id`;

/**
 * Lets the next token that names a purged organization create it again, empty. Requires the login of the tables' owner.
 * @throws {Error} if the organization was not purged
 */
export async function allowAgain(change: Change, reason: string): Promise<void> {
  const { connection, organizationId } = change;
  const removed = await connection.query(FORGET(organizationId));
  if (removed.length === 0) throw new Error('no such organization was purged');
  await change.record({
    action: 'organization.allowed_again',
    targets: [{ type: 'organization', id: organizationId, name: null }],
    details: { reason },
  });
}
