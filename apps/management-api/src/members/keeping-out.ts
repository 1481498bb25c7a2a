import type { UserId } from '@legate/ids';
import type { Change } from '../changes/change.ts';
import { changesBetween } from '../domain/audit-event.ts';
import type { AuditEventId, MemberId } from '../domain/ids.ts';
import type { Role } from '../domain/rights.ts';
import type { Stored, VersionCheck } from '../domain/stored.ts';
import type { Member, MemberStatus } from './member.ts';
import {
  type Actor,
  existing,
  lockMember,
  recordMember,
  refuseEscalation,
  refuseLastOwner,
  refuseManagedRole,
  refuseOwnMembership,
  roleOf,
} from './rules.ts';
import type { MemberStore } from './store.ts';

/** A membership that has ended, and the event that tells of it; none if it had ended so before. */
export interface Ended extends Stored<Member> {
  readonly event?: AuditEventId;
}

/** Ends memberships, whatever tokens their users have, and begins them again. */
export interface KeepingOut {
  /**
   * May be repeated.
   * @throws {Problem} 403 `role_escalation`, 409 `last_owner`, `own_membership`
   */
  deactivate(change: Change, actor: Actor, id: MemberId, reason: string | undefined): Promise<Ended>;
  /** May be repeated; the same refusals. */
  remove(change: Change, actor: Actor, id: MemberId, check: VersionCheck): Promise<Ended>;
  /**
   * Keeps a user out who may never have been here; the same refusals.
   * @throws {Problem} 403 `member_limit_reached`
   */
  deny(
    change: Change,
    actor: Actor,
    userId: UserId,
    reason: string | undefined,
  ): Promise<Ended & { readonly isNew: boolean }>;
  /** Ends the caller's own membership. @throws {Problem} 409 `last_owner` */
  leave(change: Change, actor: Actor): Promise<Ended>;
  /** @throws {Problem} 403 `role_escalation`; 409 `role_managed` for another role than before */
  reinstate(change: Change, actor: Actor, id: MemberId, role: Role | undefined): Promise<Stored<Member>>;
}

const EVENTS = { deactivated: 'deactivated', denied: 'denied', removed: 'removed' } as const;

export function createKeepingOut(deps: {
  store: MemberStore;
  maxMembers: number;
  clock: () => Date;
}): KeepingOut {
  const { store, maxMembers, clock } = deps;

  async function end(
    change: Change,
    before: Stored<Member>,
    status: Exclude<MemberStatus, 'active'>,
    event: string,
    reason?: string,
  ): Promise<Ended> {
    const { id } = before.value;
    if (before.value.status === status) return before;
    await refuseLastOwner(store, change, before.value);
    await store.keepOut(change, id, status, clock());
    const after = existing(await store.read(change, id));
    const changes = changesBetween(before.value, after.value, ['status']);
    return { ...after, event: await recordMember(change, event, after.value, changes, reason) };
  }

  async function lockOther(change: Change, actor: Actor, id: MemberId) {
    const before = await lockMember(store, change, actor, id);
    refuseEscalation(before.actorRole, [before.value.role]);
    refuseOwnMembership(actor, before.value.user_id);
    return before;
  }

  return {
    async deactivate(change, actor, id, reason) {
      return end(change, await lockOther(change, actor, id), 'deactivated', EVENTS.deactivated, reason);
    },
    async remove(change, actor, id, check) {
      const before = await lockOther(change, actor, id);
      check(before.version);
      return end(change, before, 'removed', EVENTS.removed);
    },
    async deny(change, actor, userId, reason) {
      await store.lockAll(change);
      const known = await store.readUser(change, userId);
      refuseEscalation(await roleOf(store, change, actor), known ? [known.value.role] : []);
      refuseOwnMembership(actor, userId);
      if (known) return { ...(await end(change, known, 'denied', EVENTS.denied, reason)), isNew: false };
      await store.addDenied(change, userId, clock(), maxMembers);
      const added = existing(await store.readUser(change, userId));
      const changes = { status: { from: null, to: added.value.status } };
      const event = await recordMember(change, EVENTS.denied, added.value, changes, reason);
      return { ...added, event, isNew: true };
    },
    async leave(change, actor) {
      await store.lockAll(change);
      const own = existing(await store.readUser(change, actor.userId));
      return end(change, own, 'removed', 'left');
    },
    async reinstate(change, actor, id, wanted) {
      const before = await lockMember(store, change, actor, id);
      const { role, status } = before.value;
      refuseEscalation(before.actorRole, wanted ? [role, wanted] : [role]);
      if (status === 'active') return before;
      if (wanted !== undefined && wanted !== role) refuseManagedRole(before);
      await store.reinstate(change, id, wanted ?? role);
      const after = existing(await store.read(change, id));
      const changes = changesBetween(before.value, after.value, ['status', 'role']);
      await recordMember(change, 'reinstated', after.value, changes);
      return after;
    },
  };
}
