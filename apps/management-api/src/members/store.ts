import type { OrganizationId, UserId } from '@legate/ids';
import type { Page } from '@legate/pagination';
import type { TenantDatabase } from '@legate/postgres';
import { ulid } from 'ulid';
import type { Change } from '../changes/change.ts';
import type { MemberId } from '../domain/ids.ts';
import { problem } from '../domain/problem-codes.ts';
import type { Role } from '../domain/rights.ts';
import type { Stored } from '../domain/stored.ts';
import { CHANGED, isoTime } from '../storage/columns.ts';
import { queryPage } from '../storage/page-statement.ts';
import type { ListMembers, Member, MemberStatus } from './member.ts';

type RoleSource = 'local' | 'identity_provider';

export interface MemberStore {
  /** In the requested order, then by id. @param searchesEmail else `search` looks at names alone */
  list(organizationId: OrganizationId, query: ListMembers, searchesEmail: boolean): Promise<Page<Member>>;
  find(organizationId: OrganizationId, id: MemberId): Promise<Stored<Member> | undefined>;
  /** Blocks other changes of members until the transaction ends, so that owners are counted correctly. */
  lockAll(change: Change): Promise<{ roleSource: RoleSource }>;
  read(change: Change, id: MemberId): Promise<Stored<Member> | undefined>;
  readUser(change: Change, userId: UserId): Promise<Stored<Member> | undefined>;
  /** The role of a user at this moment, not as it is remembered. */
  roleOf(change: Change, userId: UserId): Promise<Role | undefined>;
  countActive(change: Change): Promise<{ owners: number; members: number }>;
  setRole(change: Change, id: MemberId, role: Role): Promise<void>;
  keepOut(change: Change, id: MemberId, status: Exclude<MemberStatus, 'active'>, now: Date): Promise<void>;
  reinstate(change: Change, id: MemberId, role: Role): Promise<void>;
  /** @throws {Problem} 403 `member_limit_reached` */
  addDenied(change: Change, userId: UserId, now: Date, maxMembers: number): Promise<void>;
}

const STATUS = `CASE WHEN r.removed_at IS NULL THEN 'active' ELSE coalesce(r.kept_out, 'removed') END`;
const SOURCE = `coalesce(r.source, 'onboarding')`;
const MEMBER_JSON = `json_build_object('id', r.id, 'user_id', r.user_id, 'email', r.email,
  'email_verified', r.email_verified, 'name', r.name, 'role', r.role, 'status', ${STATUS}, 'source', ${SOURCE},
  'external_id', r.external_id, 'invited_by', r.invited_by, 'last_seen_at', ${isoTime('last_seen_at')},
  'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
const OF_ORGANIZATION = 'r.organization_id = $1';
const ACTIVE = `${OF_ORGANIZATION} AND r.removed_at IS NULL`;
const NAME_OR_EMAIL = `lower(coalesce(r.name, '') || E'\\n' || coalesce(r.email, ''))`;
const FIND = `SELECT ${MEMBER_JSON} AS value, r.version::text FROM members r WHERE ${OF_ORGANIZATION}`;
/** Locks the organization: locking the owners' rows would not block someone who becomes an owner meanwhile. */
const LOCK_ALL = 'SELECT role_source AS "roleSource" FROM organizations WHERE id = $1 FOR NO KEY UPDATE';
/** The weakest role for somebody who is kept out: the role in their token must not count again. */
const ROLE_OF = `SELECT CASE WHEN r.removed_at IS NULL THEN r.role ELSE 'viewer' END AS role FROM members r
WHERE ${OF_ORGANIZATION} AND r.user_id = $2`;
const COUNT_ACTIVE = `SELECT count(*) FILTER (WHERE r.role = 'owner')::int AS owners, count(*)::int AS members
FROM members r WHERE ${ACTIVE}`;
const SET_ROLE = `UPDATE members SET role = $3, ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const KEEP_OUT = `UPDATE members SET removed_at = $3, kept_out = $4, ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const REINSTATE = `UPDATE members SET removed_at = NULL, kept_out = NULL, role = $3, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const ADD_DENIED = `INSERT INTO members (organization_id, user_id, id, role, source, removed_at, kept_out)
SELECT $1::text, $2::text, $3::text, 'viewer', 'denial', $4::timestamptz, 'denied'
WHERE (SELECT count(*) FROM members WHERE organization_id = $1::text) < $5 RETURNING id`;

const ORDERS = {
  created_at: 'r.created_at, r.id',
  '-created_at': 'r.created_at DESC, r.id DESC',
  last_seen_at: 'r.last_seen_at NULLS FIRST, r.id',
  '-last_seen_at': 'r.last_seen_at DESC NULLS LAST, r.id DESC',
} as const;

export function createMemberStore(tenants: TenantDatabase): MemberStore {
  const findStatement = (column: 'id' | 'user_id', values: unknown[]) => ({
    name: `member_find_${column}`,
    text: `${FIND} AND r.${column} = $2`,
    values,
  });
  const statement = async <Row extends object>(
    { connection, organizationId }: Change,
    name: string,
    text: string,
    ...values: unknown[]
  ) => (await connection.query<Row>({ name, text, values: [organizationId, ...values] }))[0];
  return {
    list: (organizationId, query, searchesEmail) =>
      queryPage(tenants, organizationId, query, {
        name: `members_list_${query.sort}_${query.status === 'active'}_${searchesEmail}`,
        from: 'members r',
        where: query.status === 'active' ? ACTIVE : OF_ORGANIZATION,
        filters: [
          {
            name: 'status',
            value: query.status === 'active' || query.status === 'any' ? undefined : query.status,
            condition: (status) => `${STATUS} = ${status}`,
          },
          { name: 'source', value: query.source, condition: (source) => `${SOURCE} = ${source}` },
          { name: 'role', value: query.role, condition: (role) => `r.role = ${role}` },
          {
            name: 'search',
            value: query.search,
            condition: (part) =>
              `strpos(${searchesEmail ? NAME_OR_EMAIL : 'lower(r.name)'}, lower(${part})) > 0`,
          },
        ],
        orderBy: ORDERS[query.sort],
        json: MEMBER_JSON,
      }),
    async find(organizationId, id) {
      const [row] = await tenants.queryAsTenant<Stored<Member>>(
        organizationId,
        findStatement('id', [organizationId, id]),
      );
      return row;
    },
    async lockAll(change) {
      const row = await statement<{ roleSource: RoleSource }>(change, 'members_lock', LOCK_ALL);
      if (!row) throw new Error('the organization is gone');
      return row;
    },
    async read({ connection, organizationId }, id) {
      return (await connection.query<Stored<Member>>(findStatement('id', [organizationId, id])))[0];
    },
    async readUser({ connection, organizationId }, userId) {
      return (await connection.query<Stored<Member>>(findStatement('user_id', [organizationId, userId])))[0];
    },
    async roleOf(change, userId) {
      return (await statement<{ role: Role }>(change, 'member_role', ROLE_OF, userId))?.role;
    },
    async countActive(change) {
      const row = await statement<{ owners: number; members: number }>(
        change,
        'members_active',
        COUNT_ACTIVE,
      );
      return row ?? { owners: 0, members: 0 };
    },
    async setRole(change, id, role) {
      await statement(change, 'member_set_role', SET_ROLE, id, role);
    },
    async keepOut(change, id, status, now) {
      const keptOut = status === 'removed' ? null : status;
      await statement(change, 'member_keep_out', KEEP_OUT, id, now, keptOut);
    },
    async reinstate(change, id, role) {
      await statement(change, 'member_reinstate', REINSTATE, id, role);
    },
    async addDenied(change, userId, now, maxMembers) {
      const values = [userId, `mem_${ulid()}`, now, maxMembers];
      const added = await statement(change, 'member_deny', ADD_DENIED, ...values);
      if (!added) {
        throw problem('member_limit_reached', {
          detail: 'The organization has as many members as it may have.',
        });
      }
    },
  };
}
