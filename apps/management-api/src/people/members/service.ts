import { isId, type OrganizationId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import type { MemberId } from '../../domain/ids.ts';
import { existing, type Stored, type VersionCheck } from '../../domain/stored.ts';
import type { ListMembers, Member, UpdateMember } from './member.ts';
import { pageShown, type Reader, refuseHiddenOrder, storedShown } from './reader.ts';
import {
  type Actor,
  lockMember,
  recordMember,
  refuseEscalation,
  refuseLastOwner,
  refuseManagedRole,
} from './rules.ts';
import type { MemberStore } from './store.ts';

export type Members = ReturnType<typeof createMembers>;

export function createMembers({ store }: { store: MemberStore }) {
  return {
    /** @throws {Problem} 400 for a sort order that the reader must not use */
    async list(organizationId: OrganizationId, query: ListMembers, reader: Reader) {
      refuseHiddenOrder(query, reader);
      return pageShown(await store.list(organizationId, query, reader.seesPersonalFields), reader);
    },
    /** @throws {Problem} 404 */
    async find(organizationId: OrganizationId, id: MemberId, reader: Reader) {
      return storedShown(existing('member', isId(id) && (await store.find(organizationId, id))), reader);
    },
    /**
     * @throws {Problem} 403 `role_escalation`: only owners appoint or change owners; 404
     * @throws {Problem} 409 `last_owner`: an organization always has an owner; `role_managed`; 412
     */
    async update(
      change: Change,
      actor: Actor,
      id: MemberId,
      check: VersionCheck,
      patch: (current: Member) => UpdateMember,
    ): Promise<Stored<Member>> {
      const before = await lockMember(store, change, actor, id);
      check(before.version);
      const { role } = patch(before.value);
      if (role === undefined || role === before.value.role) return before;
      refuseEscalation(before.actorRole, [before.value.role, role]);
      refuseManagedRole(before);
      await refuseLastOwner(store, change, before.value);
      await store.setRole(change, id, role);
      const after = existing('member', await store.read(change, id));
      await recordMember(change, 'updated', after.value, changesBetween(before.value, after.value, ['role']));
      return after;
    },
  };
}
