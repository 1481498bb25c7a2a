import type { UserId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import { recordMember } from './rules.ts';
import type { MemberStore } from './store.ts';

/**
 * Makes a user an active owner, whatever they were before, so that an operator can help an organization without owners.
 * @throws {Error} if the organization does not exist
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
