import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../changes/change.ts';
import type { MemberId } from '../domain/ids.ts';
import type { Role } from '../domain/rights.ts';
import type { Stored } from '../domain/stored.ts';
import { orderByAge } from '../storage/by-age.ts';
import { CHANGED, isoTime } from '../storage/columns.ts';
import { queryPage } from '../storage/page-statement.ts';
import { statement } from '../storage/statement.ts';
import type { ListMembers, Member } from './member.ts';

const MEMBER_JSON = `json_build_object('id', r.id, 'user_id', r.user_id, 'email', r.email, 'name', r.name,
  'role', r.role, 'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
const PRESENT = 'r.organization_id = $1 AND r.removed_at IS NULL';
const NAME_OR_EMAIL = `lower(coalesce(r.name, '') || E'\\n' || coalesce(r.email, ''))`;
const FIND = statement('member_find')`SELECT ${MEMBER_JSON} AS value, r.version::text
FROM members r WHERE ${PRESENT} AND r.id = $2`;
/** Locks the organization: locking the owners' rows would not block someone who becomes an owner meanwhile. */
const LOCK_ALL = statement('members_lock')`SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE`;
/** The weakest role for a removed member: the role in their token must not count again. */
const ROLE_OF = statement(
  'member_role',
)`SELECT CASE WHEN r.removed_at IS NULL THEN r.role ELSE 'viewer' END AS role
FROM members r WHERE r.organization_id = $1 AND r.user_id = $2`;
const COUNT_OWNERS = statement('members_owners')`SELECT count(*)::int AS owners
FROM members r WHERE ${PRESENT} AND r.role = 'owner'`;
const SET_ROLE = statement('member_set_role')`UPDATE members SET role = $3, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const REMOVE = statement('member_remove')`UPDATE members SET removed_at = $3, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;

export type MemberStore = ReturnType<typeof createMemberStore>;

/** Members that were not removed. */
export function createMemberStore(tenants: TenantDatabase) {
  return {
    /** In the requested order, then by id. */
    list: (organizationId: OrganizationId, query: ListMembers) =>
      queryPage<Member>(tenants, organizationId, query, {
        name: `members_list_${query.sort}`,
        from: 'members r',
        where: PRESENT,
        filters: [
          { name: 'role', value: query.role, condition: (role) => `r.role = ${role}` },
          {
            name: 'search',
            value: query.search,
            condition: (part) => `strpos(${NAME_OR_EMAIL}, lower(${part})) > 0`,
          },
        ],
        orderBy: orderByAge(query.sort, 'id'),
        json: MEMBER_JSON,
      }),
    async find(organizationId: OrganizationId, id: MemberId) {
      const [row] = await tenants.queryAsTenant<Stored<Member>>(organizationId, FIND(organizationId, id));
      return row;
    },
    /** Blocks other changes of members until the transaction ends, so that owners are counted correctly. */
    async lockAll({ connection, organizationId }: Change) {
      await connection.query(LOCK_ALL(organizationId));
    },
    async read({ connection, organizationId }: Change, id: MemberId) {
      const [row] = await connection.query<Stored<Member>>(FIND(organizationId, id));
      return row;
    },
    /** The role of a user at this moment, not as it is remembered. */
    async roleOf({ connection, organizationId }: Change, userId: UserId) {
      const [row] = await connection.query<{ role: Role }>(ROLE_OF(organizationId, userId));
      return row?.role;
    },
    async countOwners({ connection, organizationId }: Change) {
      const [row] = await connection.query<{ owners: number }>(COUNT_OWNERS(organizationId));
      return row?.owners ?? 0;
    },
    async setRole({ connection, organizationId }: Change, id: MemberId, role: Role) {
      await connection.query(SET_ROLE(organizationId, id, role));
    },
    async remove({ connection, organizationId }: Change, id: MemberId, now: Date) {
      await connection.query(REMOVE(organizationId, id, now));
    },
  };
}
