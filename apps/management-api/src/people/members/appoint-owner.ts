import type { UserId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import { recordMember } from './rules.ts';
import type { MemberStore } from './store.ts';

/**
 * Makes a user an active owner, whatever they were before: the operator's way out for an organization without one.
 * @throws {Error} there is no such organization
 */
export async function appointOwner(
  store: MemberStore,
  change: Change,
  userId: UserId,
  reason: string,
): Promise<void> {
  await store.lockAll(change);
  const before = await store.readUser(change, userId);
  if (before) await store.reinstate(change, before.value.id, 'owner');
  else await store.addOwner(change, userId);
  const after = await store.readUser(change, userId);
  if (!after) throw new Error('a member cannot be read back');
  const changes = changesBetween(before?.value ?? {}, after.value, ['role', 'status']);
  await recordMember(change, 'appointed', after.value, changes, reason);
}
