import { isId } from '@legate/ids';
import type { HappensTo } from '@legate/management-contract';
import type { Problem } from '@legate/service';
import type { Change } from '../../changes/change.ts';
import type { FieldChanges, Target } from '../../domain/audit-event.ts';
import type { Caller } from '../../domain/caller.ts';
import type { AuditEventId, MemberId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Role, RoleSource } from '../../domain/rights.ts';
import { existing, type Stored } from '../../domain/stored.ts';
import type { Member } from './member.ts';
import type { MemberStore } from './store.ts';

/** The member who changes other members; `tokenRole` counts only without a membership. */
export interface Actor {
  readonly userId: Caller['subject'];
  readonly tokenRole: Role;
}

export const actorOf = ({ caller, role }: { caller: Caller; role: Role }): Actor => ({
  userId: caller.subject,
  tokenRole: role,
});

export interface Locked extends Stored<Member> {
  readonly actorRole: Role;
  readonly roleSource: RoleSource;
}

/**
 * Locks all members, and reads the actor's role again, which may have changed since the request was admitted.
 * @throws {Problem} 404
 */
export async function lockMember(
  store: MemberStore,
  change: Change,
  actor: Actor,
  id: MemberId,
): Promise<Locked> {
  const { roleSource } = await store.lockAll(change);
  const stored = existing('member', isId(id) && (await store.read(change, id)));
  return { ...stored, roleSource, actorRole: await roleOf(store, change, actor) };
}

export const roleOf = async (store: MemberStore, change: Change, actor: Actor): Promise<Role> =>
  (await store.roleOf(change, actor.userId)) ?? actor.tokenRole;

/** Refuses admins who change owners, including a member who became an owner after the request was admitted. */
export function refuseEscalation(actor: Role, touched: readonly Role[]): void {
  if (actor === 'owner' || (actor === 'admin' && !touched.includes('owner'))) return;
  throw problem('role_escalation', {
    detail: 'Only an owner may appoint, change or remove an owner.',
  });
}

/** Must be called under the lock. @throws {Problem} 409 if the member is the only active owner */
export async function refuseLastOwner(store: MemberStore, change: Change, member: Member): Promise<void> {
  if (member.role !== 'owner' || member.status !== 'active') return;
  const { owners, members } = await store.countActive(change);
  if (owners <= 1) throw lastOwner(members);
}

const lastOwner = (activeMembers: number): Problem =>
  problem('last_owner', {
    detail:
      'The organization would have no owner. Make another active member an owner, invite somebody as an owner, or delete the organization.',
    extensions: { active_members: activeMembers },
  });

export function refuseOwnMembership(actor: Actor, userId: Caller['subject']): void {
  if (actor.userId !== userId) return;
  throw problem('own_membership', { detail: 'To end your own membership, send POST /me/leave.' });
}

export function refuseManagedRole({ roleSource }: Pick<Locked, 'roleSource'>): void {
  if (roleSource === 'local') return;
  throw problem('role_managed', { detail: 'Change the role at the identity provider.' });
}

export const targetOf = ({ id, name, email }: Member): Target => ({
  type: 'member',
  id,
  name: name ?? email,
});

export const recordMember = (
  change: Change,
  what: HappensTo<'member'>,
  member: Member,
  changes: FieldChanges,
  reason?: string,
): Promise<AuditEventId> =>
  change.record({
    action: `member.${what}`,
    targets: [targetOf(member)],
    changes,
    ...(reason !== undefined && { details: { reason } }),
  });
