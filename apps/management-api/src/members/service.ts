import { isId, type OrganizationId, type UserId } from '@legate/ids';
import type { Change } from '../changes/change.ts';
import { changesBetween, type FieldChanges } from '../domain/audit-event.ts';
import type { MemberId } from '../domain/ids.ts';
import { problem } from '../domain/problem-codes.ts';
import type { Role } from '../domain/rights.ts';
import { existing, type Stored, type VersionCheck } from '../domain/stored.ts';
import type { Member, UpdateMember } from './member.ts';
import type { MemberStore } from './store.ts';

/** The member who changes others; `tokenRole` counts only if there is no membership. */
export interface Actor {
  readonly userId: UserId;
  readonly tokenRole: Role;
}

export type Members = ReturnType<typeof createMembers>;

export function createMembers(deps: { store: MemberStore; clock: () => Date }) {
  const { store, clock } = deps;

  /** Reads the actor's role again: it may have changed since the request was admitted. */
  async function lock(change: Change, actor: Actor, id: MemberId) {
    await store.lockAll(change);
    const stored = existing('member', isId(id) && (await store.read(change, id)));
    const actorRole = (await store.roleOf(change, actor.userId)) ?? actor.tokenRole;
    return { ...stored, actorRole };
  }

  async function mayLose(change: Change, { role }: Member): Promise<void> {
    if (role === 'owner' && (await store.countOwners(change)) <= 1) {
      throw problem('last_owner', { detail: 'Make another member an owner first.' });
    }
  }

  const record = (change: Change, what: string, { id, name, email }: Member, changes: FieldChanges) =>
    change.record({
      action: `member.${what}`,
      targets: [{ type: 'member', id, name: name ?? email }],
      changes,
    });

  return {
    list: store.list,
    async find(organizationId: OrganizationId, id: MemberId) {
      return existing('member', isId(id) && (await store.find(organizationId, id)));
    },
    /**
     * @throws {Problem} 403 `role_escalation`: only an owner makes an owner, or changes one
     * @throws {Problem} 409 `last_owner`: an organization always has one
     */
    async update(
      change: Change,
      actor: Actor,
      id: MemberId,
      check: VersionCheck,
      patch: (current: Member) => UpdateMember,
    ): Promise<Stored<Member>> {
      const before = await lock(change, actor, id);
      check(before.version);
      const { role } = patch(before.value);
      if (role === undefined || role === before.value.role) return before;
      refuseEscalation(before.actorRole, [before.value.role, role]);
      await mayLose(change, before.value);
      await store.setRole(change, id, role);
      const after = existing('member', await store.read(change, id));
      await record(change, 'updated', after.value, changesBetween(before.value, after.value, ['role']));
      return after;
    },
    /** Revokes the membership at once, whatever tokens the user has. Same refusals as `update`. */
    async remove(change: Change, actor: Actor, id: MemberId, check: VersionCheck) {
      const { value: member, version, actorRole } = await lock(change, actor, id);
      check(version);
      refuseEscalation(actorRole, [member.role]);
      await mayLose(change, member);
      await store.remove(change, id, clock());
      await record(change, 'removed', member, { role: { from: member.role, to: null } });
      return member;
    },
  };
}

/** Admins may write members too, but not owners, and not someone who has become an owner meanwhile. */
function refuseEscalation(actor: Role, touched: readonly Role[]): void {
  if (actor === 'owner' || (actor === 'admin' && !touched.includes('owner'))) return;
  throw problem('role_escalation', { detail: 'Only an owner may make, change or remove an owner.' });
}
