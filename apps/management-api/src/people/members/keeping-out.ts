import type { UserId } from '@legate/ids';
import type { HappensTo } from '@legate/management-contract';
import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import type { AuditEventId, MemberId } from '../../domain/ids.ts';
import type { Role } from '../../domain/rights.ts';
import { existing, type Stored, type VersionCheck } from '../../domain/stored.ts';
import { forgetConsents } from '../consents/store.ts';
import type { Member, MemberStatus } from './member.ts';
import {
  type Actor,
  lockMember,
  recordMember,
  refuseEscalation,
  refuseLastOwner,
  refuseManagedRole,
  refuseOwnMembership,
  roleOf,
} from './rules.ts';
import type { MemberStore } from './store.ts';

/** A membership that has ended, and the event that reports it; no event if it had ended in the same way before. */
export interface Ended extends Stored<Member> {
  readonly event?: AuditEventId;
}

export type KeepingOut = ReturnType<typeof createKeepingOut>;

/** Ends and reinstates memberships, whatever tokens their users have. */
export function createKeepingOut(deps: {
  store: MemberStore;
  maxMembers: number;
  /** Called within each change that ends an active membership, after its event. */
  onEnded: (change: Change, userId: UserId) => Promise<void>;
  clock: () => Date;
}) {
  const { store, maxMembers, onEnded, clock } = deps;

  async function end(
    change: Change,
    before: Stored<Member>,
    status: Exclude<MemberStatus, 'active'>,
    event: HappensTo<'member'>,
    reason?: string,
  ): Promise<Ended> {
    const { id } = before.value;
    if (before.value.status === status) return before;
    await refuseLastOwner(store, change, before.value);
    await store.keepOut(change, id, status, clock());
    if (status === 'removed') await forgetConsents(change, before.value.user_id);
    const after = existing('member', await store.read(change, id));
    const changes = changesBetween(before.value, after.value, ['status']);
    const ended = { ...after, event: await recordMember(change, event, after.value, changes, reason) };
    if (before.value.status === 'active') await onEnded(change, before.value.user_id);
    return ended;
  }

  async function lockOther(change: Change, actor: Actor, id: MemberId) {
    const before = await lockMember(store, change, actor, id);
    refuseEscalation(before.actorRole, [before.value.role]);
    refuseOwnMembership(actor, before.value.user_id);
    return before;
  }

  return {
    /**
     * May be repeated.
     * @throws {Problem} 403 `role_escalation`, 404, 409 `last_owner`, `own_membership`
     */
    async deactivate(change: Change, actor: Actor, id: MemberId, reason: string | undefined) {
      return end(change, await lockOther(change, actor, id), 'deactivated', 'deactivated', reason);
    },
    /** May be repeated. @throws {Problem} as `deactivate`, and 412 */
    async remove(change: Change, actor: Actor, id: MemberId, check: VersionCheck) {
      const before = await lockOther(change, actor, id);
      check(before.version);
      return end(change, before, 'removed', 'removed');
    },
    /**
     * Denies access to a user, who need not be a member.
     * @throws {Problem} 403 `member_limit_reached`, `role_escalation`; 409 `last_owner`, `own_membership`
     */
    async deny(change: Change, actor: Actor, userId: UserId, reason: string | undefined) {
      await store.lockAll(change);
      const known = await store.readUser(change, userId);
      refuseEscalation(await roleOf(store, change, actor), known ? [known.value.role] : []);
      refuseOwnMembership(actor, userId);
      if (known) return { ...(await end(change, known, 'denied', 'denied', reason)), isNew: false };
      await store.addDenied(change, userId, clock(), maxMembers);
      const added = existing('member', await store.readUser(change, userId));
      const changes = { status: { from: null, to: added.value.status } };
      const event = await recordMember(change, 'denied', added.value, changes, reason);
      return { ...added, event, isNew: true };
    },
    /** Ends the caller's own membership. @throws {Problem} 409 `last_owner` */
    async leave(change: Change, actor: Actor) {
      await store.lockAll(change);
      const own = existing('member', await store.readUser(change, actor.userId));
      return end(change, own, 'removed', 'left');
    },
    /** @throws {Problem} 403 `role_escalation`; 404; 409 `role_managed` for a role other than the previous one */
    async reinstate(
      change: Change,
      actor: Actor,
      id: MemberId,
      wanted: Role | undefined,
    ): Promise<Stored<Member>> {
      const before = await lockMember(store, change, actor, id);
      const { role, status } = before.value;
      refuseEscalation(before.actorRole, wanted ? [role, wanted] : [role]);
      if (status === 'active') return before;
      if (wanted !== undefined && wanted !== role) refuseManagedRole(before);
      await store.reinstate(change, id, wanted ?? role);
      const after = existing('member', await store.read(change, id));
      const changes = changesBetween(before.value, after.value, ['status', 'role']);
      await recordMember(change, 'reinstated', after.value, changes);
      return after;
    },
  };
}
