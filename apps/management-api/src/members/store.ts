import type { OrganizationId, UserId } from '@legate/ids';
import type { Page } from '@legate/pagination';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../changes/change.ts';
import type { MemberId } from '../domain/ids.ts';
import type { Role } from '../domain/rights.ts';
import type { Stored } from '../domain/stored.ts';
import { orderByAge } from '../storage/by-age.ts';
import { CHANGED, isoTime } from '../storage/columns.ts';
import { queryPage } from '../storage/page-statement.ts';
import type { ListMembers, Member } from './member.ts';

/** Members that were not removed. */
export interface MemberStore {
  /** In the requested order, then by id. */
  list(organizationId: OrganizationId, query: ListMembers): Promise<Page<Member>>;
  find(organizationId: OrganizationId, id: MemberId): Promise<Stored<Member> | undefined>;
  /** Blocks other changes of members until the transaction ends, so that owners are counted correctly. */
  lockAll(change: Change): Promise<{ roleSource: 'local' | 'identity_provider' }>;
  read(change: Change, id: MemberId): Promise<Stored<Member> | undefined>;
  /** The role of a user at this moment, not as it is remembered. */
  roleOf(change: Change, userId: UserId): Promise<Role | undefined>;
  countOwners(change: Change): Promise<number>;
  setRole(change: Change, id: MemberId, role: Role): Promise<void>;
  remove(change: Change, id: MemberId, now: Date): Promise<void>;
}

const MEMBER_JSON = `json_build_object('id', r.id, 'user_id', r.user_id, 'email', r.email, 'name', r.name,
  'role', r.role, 'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
const PRESENT = 'r.organization_id = $1 AND r.removed_at IS NULL';
const NAME_OR_EMAIL = `lower(coalesce(r.name, '') || E'\\n' || coalesce(r.email, ''))`;
const FIND = `SELECT ${MEMBER_JSON} AS value, r.version::text FROM members r WHERE ${PRESENT} AND r.id = $2`;
/** Locks the organization: locking the owners' rows would not block someone who becomes an owner meanwhile. */
const LOCK_ALL = 'SELECT role_source AS "roleSource" FROM organizations WHERE id = $1 FOR NO KEY UPDATE';
/** The weakest role for a removed member: the role in their token must not count again. */
const ROLE_OF = `SELECT CASE WHEN r.removed_at IS NULL THEN r.role ELSE 'viewer' END AS role FROM members r
WHERE r.organization_id = $1 AND r.user_id = $2`;
const COUNT_OWNERS = `SELECT count(*)::int AS owners FROM members r WHERE ${PRESENT} AND r.role = 'owner'`;
const SET_ROLE = `UPDATE members SET role = $3, ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const REMOVE = `UPDATE members SET removed_at = $3, ${CHANGED} WHERE organization_id = $1 AND id = $2`;

export function createMemberStore(tenants: TenantDatabase): MemberStore {
  const findStatement = (values: unknown[]) => ({ name: 'member_find', text: FIND, values });
  return {
    list: (organizationId, query) =>
      queryPage(tenants, organizationId, query, {
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
    async find(organizationId, id) {
      const statement = findStatement([organizationId, id]);
      const [row] = await tenants.queryAsTenant<Stored<Member>>(organizationId, statement);
      return row;
    },
    async lockAll({ connection, organizationId }) {
      const statement = { name: 'members_lock', text: LOCK_ALL, values: [organizationId] };
      const [row] = await connection.query<{ roleSource: 'local' | 'identity_provider' }>(statement);
      if (!row) throw new Error('the organization is gone');
      return row;
    },
    async read({ connection, organizationId }, id) {
      const [row] = await connection.query<Stored<Member>>(findStatement([organizationId, id]));
      return row;
    },
    async roleOf({ connection, organizationId }, userId) {
      const values = [organizationId, userId];
      const [row] = await connection.query<{ role: Role }>({ name: 'member_role', text: ROLE_OF, values });
      return row?.role;
    },
    async countOwners({ connection, organizationId }) {
      const statement = { name: 'members_owners', text: COUNT_OWNERS, values: [organizationId] };
      const [row] = await connection.query<{ owners: number }>(statement);
      return row?.owners ?? 0;
    },
    async setRole({ connection, organizationId }, id, role) {
      const values = [organizationId, id, role];
      await connection.query({ name: 'member_set_role', text: SET_ROLE, values });
    },
    async remove({ connection, organizationId }, id, now) {
      await connection.query({ name: 'member_remove', text: REMOVE, values: [organizationId, id, now] });
    },
  };
}
