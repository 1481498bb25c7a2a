import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { Stored } from '../api/stored.ts';
import type { Role } from '../caller/rights.ts';
import type { ListMembers, Member } from './member.ts';

/** Members that were not removed. */
export interface MemberStore {
  /** Oldest first, then by id. */
  list(organizationId: string, query: ListMembers): Promise<{ members: readonly Member[]; total: number }>;
  find(organizationId: string, id: string): Promise<Stored<Member> | undefined>;
  /** Until the end of the transaction no other one changes members: who counts owners counts right. */
  lockAll(connection: TenantConnection, organizationId: string): Promise<void>;
  read(connection: TenantConnection, organizationId: string, id: string): Promise<Stored<Member> | undefined>;
  /** The role of a user at this moment, not as it is remembered. */
  roleOf(connection: TenantConnection, organizationId: string, userId: string): Promise<Role | undefined>;
  countOwners(connection: TenantConnection, organizationId: string): Promise<number>;
  setRole(connection: TenantConnection, organizationId: string, id: string, role: Role): Promise<void>;
  remove(connection: TenantConnection, organizationId: string, id: string, now: Date): Promise<void>;
}

const time = (column: string) => `to_char(m.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const MEMBER_JSON = `json_build_object('id', m.id, 'user_id', m.user_id, 'email', m.email, 'name', m.name,
  'role', m.role, 'created_at', ${time('created_at')}, 'updated_at', ${time('updated_at')})`;
const PRESENT = 'm.organization_id = $1 AND m.removed_at IS NULL';
const LISTED = `${PRESENT} AND ($4::text IS NULL OR m.role = $4)
  AND ($5::text IS NULL OR strpos(lower(coalesce(m.name, '') || E'\\n' || coalesce(m.email, '')), lower($5)) > 0)`;
const LIST = `WITH page AS (
  SELECT m.* FROM members m WHERE ${LISTED} ORDER BY m.created_at, m.id LIMIT $2 OFFSET $3
)
SELECT
  (SELECT count(*)::int FROM members m WHERE ${LISTED}) AS total,
  (SELECT coalesce(json_agg(${MEMBER_JSON} ORDER BY m.created_at, m.id), '[]') FROM page m) AS members`;
const FIND = `SELECT ${MEMBER_JSON} AS value, m.version::text FROM members m WHERE ${PRESENT} AND m.id = $2`;
/** On the organization: rows of owners alone would not hold up one who becomes an owner meanwhile. */
const LOCK_ALL = 'SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE';
/** Of a removed member the weakest: what his token says must not count again. */
const ROLE_OF = `SELECT CASE WHEN m.removed_at IS NULL THEN m.role ELSE 'viewer' END AS role FROM members m
WHERE m.organization_id = $1 AND m.user_id = $2`;
const COUNT_OWNERS = `SELECT count(*)::int AS owners FROM members m WHERE ${PRESENT} AND m.role = 'owner'`;
const CHANGED = 'version = version + 1, updated_at = clock_timestamp()';
const SET_ROLE = `UPDATE members SET role = $3, ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const REMOVE = `UPDATE members SET removed_at = $3, ${CHANGED} WHERE organization_id = $1 AND id = $2`;

export function createMemberStore(tenants: TenantDatabase): MemberStore {
  const findStatement = (values: unknown[]) => ({ name: 'member_find', text: FIND, values });
  return {
    async list(organizationId, { limit, offset, role, search }) {
      const values = [organizationId, limit, offset, role ?? null, search ?? null];
      const statement = { name: 'members_list', text: LIST, values };
      const [row] = await tenants.queryAsTenant<{ members: Member[]; total: number }>(
        organizationId,
        statement,
      );
      return row ?? { members: [], total: 0 };
    },
    async find(organizationId, id) {
      const statement = findStatement([organizationId, id]);
      const [row] = await tenants.queryAsTenant<Stored<Member>>(organizationId, statement);
      return row;
    },
    async lockAll(connection, organizationId) {
      await connection.query({ name: 'members_lock', text: LOCK_ALL, values: [organizationId] });
    },
    async read(connection, organizationId, id) {
      const [row] = await connection.query<Stored<Member>>(findStatement([organizationId, id]));
      return row;
    },
    async roleOf(connection, organizationId, userId) {
      const values = [organizationId, userId];
      const [row] = await connection.query<{ role: Role }>({ name: 'member_role', text: ROLE_OF, values });
      return row?.role;
    },
    async countOwners(connection, organizationId) {
      const statement = { name: 'members_owners', text: COUNT_OWNERS, values: [organizationId] };
      const [row] = await connection.query<{ owners: number }>(statement);
      return row?.owners ?? 0;
    },
    async setRole(connection, organizationId, id, role) {
      const values = [organizationId, id, role];
      await connection.query({ name: 'member_set_role', text: SET_ROLE, values });
    },
    async remove(connection, organizationId, id, now) {
      await connection.query({ name: 'member_remove', text: REMOVE, values: [organizationId, id, now] });
    },
  };
}
