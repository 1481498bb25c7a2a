import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { ulid } from 'ulid';
import type { Change } from '../../changes/change.ts';
import type { MemberId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Role, RoleSource } from '../../domain/rights.ts';
import type { Stored } from '../../domain/stored.ts';
import { CHANGED, isoTime } from '../../storage/columns.ts';
import { type Listing, queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { ListMembers, Member, MemberStatus } from './member.ts';

const STATUS = `CASE WHEN r.removed_at IS NULL THEN 'active' ELSE coalesce(r.kept_out, 'removed') END`;
const MEMBER_JSON = `json_build_object('id', r.id, 'user_id', r.user_id, 'email', r.email,
  'email_verified', r.email_verified, 'name', r.name, 'role', r.role, 'status', ${STATUS}, 'source', r.source,
  'external_id', r.external_id, 'invited_by', r.invited_by, 'last_seen_at', ${isoTime('last_seen_at')},
  'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
const OF_ORGANIZATION = 'r.organization_id = $1';
const ACTIVE = `${OF_ORGANIZATION} AND r.removed_at IS NULL`;
const NAME_OR_EMAIL = `lower(coalesce(r.name, '') || E'\\n' || coalesce(r.email, ''))`;
const findBy = (column: 'id' | 'user_id') =>
  statement(`member_find_${column}`)`SELECT ${MEMBER_JSON} AS value, r.version::text FROM members r
WHERE ${OF_ORGANIZATION} AND r.${column} = $2`;
const FIND = findBy('id');
const FIND_USER = findBy('user_id');
/** Locks the organization: locks on the owners' rows would not block a member who is becoming an owner. */
const LOCK_ALL = statement(
  'members_lock',
)`SELECT role_source AS "roleSource" FROM organizations WHERE id = $1 FOR NO KEY UPDATE`;
/** Returns the weakest role for a user without access, so that the role in their token does not apply again. */
const ROLE_OF = statement(
  'member_role',
)`SELECT CASE WHEN r.removed_at IS NULL THEN r.role ELSE 'viewer' END AS role
FROM members r WHERE ${OF_ORGANIZATION} AND r.user_id = $2`;
const COUNT_ACTIVE = statement(
  'members_active',
)`SELECT count(*) FILTER (WHERE r.role = 'owner')::int AS owners, count(*)::int AS members
FROM members r WHERE ${ACTIVE}`;
const SET_ROLE = statement('member_set_role')`UPDATE members SET role = $3, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const KEEP_OUT = statement('member_keep_out')`UPDATE members SET removed_at = $3, kept_out = $4, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const REINSTATE = statement('member_reinstate')`UPDATE members
SET removed_at = NULL, kept_out = NULL, role = $3, ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const REVOKE_ACCESS = statement(
  'member_revoke_access',
)`UPDATE members SET access_revoked_at = $3 WHERE organization_id = $1 AND id = $2`;
const ADD_DENIED = statement(
  'member_deny',
)`INSERT INTO members (organization_id, user_id, id, role, source, removed_at, kept_out)
SELECT $1::text, $2::text, $3::text, 'viewer', 'denial', $4::timestamptz, 'denied'
WHERE (SELECT count(*) FROM members WHERE organization_id = $1::text) < $5 RETURNING id`;
const APPOINT = statement('member_appoint')`INSERT INTO members (organization_id, user_id, id, role, source)
VALUES ($1, $2, $3, 'owner', 'operator')`;

const ORDERS = {
  created_at: 'r.created_at, r.id',
  '-created_at': 'r.created_at DESC, r.id DESC',
  last_seen_at: 'r.last_seen_at NULLS FIRST, r.id',
  '-last_seen_at': 'r.last_seen_at DESC NULLS LAST, r.id DESC',
} as const;

const listingOf = (query: ListMembers, searchesEmail: boolean): Listing => ({
  name: `members_list_${query.sort}_${query.status === 'active'}_${searchesEmail}`,
  from: 'members r',
  where: query.status === 'active' ? ACTIVE : OF_ORGANIZATION,
  filters: [
    {
      name: 'status',
      value: query.status === 'active' || query.status === 'any' ? undefined : query.status,
      condition: (status) => `${STATUS} = ${status}`,
    },
    { name: 'source', value: query.source, condition: (source) => `r.source = ${source}` },
    { name: 'role', value: query.role, condition: (role) => `r.role = ${role}` },
    {
      name: 'search',
      value: query.search,
      condition: (part) => `strpos(${searchesEmail ? NAME_OR_EMAIL : 'lower(r.name)'}, lower(${part})) > 0`,
    },
  ],
  orderBy: ORDERS[query.sort],
  json: MEMBER_JSON,
});

export type MemberStore = ReturnType<typeof createMemberStore>;

export function createMemberStore(tenants: TenantDatabase) {
  return {
    /** Lists members in the requested order, then by id. @param searchesEmail if false, `search` matches names only */
    list: (organizationId: OrganizationId, query: ListMembers, searchesEmail: boolean) =>
      queryPage<Member>(tenants, organizationId, query, listingOf(query, searchesEmail)),
    async find(organizationId: OrganizationId, id: MemberId) {
      return (await tenants.queryAsTenant<Stored<Member>>(organizationId, FIND(organizationId, id)))[0];
    },
    /** Blocks other changes of members until the transaction ends, so that owners are counted correctly. */
    async lockAll({ connection, organizationId }: Change) {
      const [row] = await connection.query<{ roleSource: RoleSource }>(LOCK_ALL(organizationId));
      if (!row) throw new Error('the organization is gone');
      return row;
    },
    async read({ connection, organizationId }: Change, id: MemberId) {
      return (await connection.query<Stored<Member>>(FIND(organizationId, id)))[0];
    },
    async readUser({ connection, organizationId }: Change, userId: UserId) {
      return (await connection.query<Stored<Member>>(FIND_USER(organizationId, userId)))[0];
    },
    /** Returns the current role of a user, not a cached one. */
    async roleOf({ connection, organizationId }: Change, userId: UserId) {
      return (await connection.query<{ role: Role }>(ROLE_OF(organizationId, userId)))[0]?.role;
    },
    async countActive({ connection, organizationId }: Change) {
      const [row] = await connection.query<{ owners: number; members: number }>(COUNT_ACTIVE(organizationId));
      return row ?? { owners: 0, members: 0 };
    },
    async setRole({ connection, organizationId }: Change, id: MemberId, role: Role) {
      await connection.query(SET_ROLE(organizationId, id, role));
    },
    async keepOut(change: Change, id: MemberId, status: Exclude<MemberStatus, 'active'>, now: Date) {
      const { connection, organizationId } = change;
      await connection.query(KEEP_OUT(organizationId, id, now, status === 'removed' ? null : status));
    },
    async reinstate({ connection, organizationId }: Change, id: MemberId, role: Role) {
      await connection.query(REINSTATE(organizationId, id, role));
    },
    /** Refuses the member's earlier tokens. */
    async revokeAccess({ connection, organizationId }: Change, id: MemberId, now: Date) {
      await connection.query(REVOKE_ACCESS(organizationId, id, now));
    },
    /** @throws {Problem} 403 `member_limit_reached` */
    async addDenied({ connection, organizationId }: Change, userId: UserId, now: Date, maxMembers: number) {
      const add = ADD_DENIED(organizationId, userId, `mem_${ulid()}`, now, maxMembers);
      if ((await connection.query(add)).length > 0) return;
      throw problem('member_limit_reached', {
        detail: 'The organization has reached its maximum number of members.',
      });
    },
    async addOwner({ connection, organizationId }: Change, userId: UserId) {
      await connection.query(APPOINT(organizationId, userId, `mem_${ulid()}`));
    },
  };
}
