import { isId, type OrganizationId } from '@legate/ids';
import type { Page } from '@legate/pagination';
import type { Change } from '../changes/change.ts';
import { changesBetween } from '../domain/audit-event.ts';
import type { MemberId } from '../domain/ids.ts';
import type { Stored, VersionCheck } from '../domain/stored.ts';
import type { ListMembers, Member, UpdateMember } from './member.ts';
import { pageShown, type Reader, refuseHiddenOrder, storedShown } from './reader.ts';
import {
  type Actor,
  existing,
  lockMember,
  recordMember,
  refuseEscalation,
  refuseLastOwner,
  refuseManagedRole,
} from './rules.ts';
import type { MemberStore } from './store.ts';

export interface Members {
  /** @throws {Problem} 400 for a sort that the reader must not use */
  list(organizationId: OrganizationId, query: ListMembers, reader: Reader): Promise<Page<Member>>;
  find(organizationId: OrganizationId, id: MemberId, reader: Reader): Promise<Stored<Member>>;
  /**
   * @throws {Problem} 403 `role_escalation`: only an owner makes an owner, or changes one
   * @throws {Problem} 409 `last_owner`: an organization always has one; `role_managed`
   */
  update(
    change: Change,
    actor: Actor,
    id: MemberId,
    check: VersionCheck,
    patch: (current: Member) => UpdateMember,
  ): Promise<Stored<Member>>;
}

export function createMembers({ store }: { store: MemberStore }): Members {
  return {
    async list(organizationId, query, reader) {
      refuseHiddenOrder(query, reader);
      return pageShown(await store.list(organizationId, query, reader.seesPersonalFields), reader);
    },
    async find(organizationId, id, reader) {
      return storedShown(existing(isId(id) && (await store.find(organizationId, id))), reader);
    },
    async update(change, actor, id, check, patch) {
      const before = await lockMember(store, change, actor, id);
      check(before.version);
      const { role } = patch(before.value);
      if (role === undefined || role === before.value.role) return before;
      refuseEscalation(before.actorRole, [before.value.role, role]);
      refuseManagedRole(before);
      await refuseLastOwner(store, change, before.value);
      await store.setRole(change, id, role);
      const after = existing(await store.read(change, id));
      await recordMember(change, 'updated', after.value, changesBetween(before.value, after.value, ['role']));
      return after;
    },
  };
}
