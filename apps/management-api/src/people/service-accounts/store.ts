import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import type { ServiceAccountId } from '../../domain/ids.ts';
import type { Stored } from '../../domain/stored.ts';
import { CHANGED, isoTime } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { Maker } from './maker.ts';
import type { CreateServiceAccount, ListServiceAccounts, ServiceAccount } from './service-account.ts';

/** The creator of the row `r`, or null for a row of the seed. */
export const CREATED_BY = `CASE WHEN r.created_by_type IN ('user', 'service_account') THEN json_build_object(
  'type', r.created_by_type, 'id', r.created_by_id, 'name', CASE r.created_by_type
    WHEN 'user' THEN (SELECT m.name FROM members m
      WHERE m.organization_id = r.organization_id AND m.user_id = r.created_by_id)
    ELSE (SELECT a.name FROM service_accounts a
      WHERE a.organization_id = r.organization_id AND a.id = r.created_by_id) END) END`;
/** `$2` is the current time. */
const LIVE_KEYS = `(SELECT count(*)::int FROM api_keys k WHERE k.organization_id = r.organization_id
  AND k.service_account_id = r.id AND k.revoked_at IS NULL AND k.expires_at > $2::timestamptz)`;
const JSON_OF = `json_build_object('id', r.id, 'name', r.name, 'description', r.description, 'role', r.role,
  'status', r.status, 'client', CASE WHEN r.client_subject IS NOT NULL THEN json_build_object('issuer', r.issuer,
    'subject', r.client_subject, 'confirmed_at', ${isoTime('confirmed_at')}) END,
  'keys', ${LIVE_KEYS}, 'created_by', ${CREATED_BY},
  'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
const PRESENT = 'r.organization_id = $1 AND r.deleted_at IS NULL';

/** Joined at each read: making or ending keys does not touch the row of their account. */
const FIND = statement(
  'service_account_find',
)`SELECT ${JSON_OF} AS value, r.version || '.' || ${LIVE_KEYS} AS version FROM service_accounts r
WHERE ${PRESENT} AND r.id = $3`;
const LOCK = statement('service_account_lock')`SELECT 1 FROM service_accounts
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;
/** Blocks other creations, so that the count is correct. Deleted accounts count until they are purged. */
const LOCK_ALL = statement(
  'service_accounts_lock',
)`SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE`;
const COUNT = statement(
  'service_accounts_count',
)`SELECT count(*) FILTER (WHERE r.deleted_at IS NULL)::int AS present, count(*)::int AS all
FROM service_accounts r WHERE r.organization_id = $1`;
const CREATE = statement('service_account_create')`INSERT INTO service_accounts
  (organization_id, id, name, description, role, created_by_type, created_by_id) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const UPDATE = statement(
  'service_account_update',
)`UPDATE service_accounts SET name = $3, description = $4, role = $5, status = $6, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const SET_DELETED = statement(
  'service_account_delete',
)`UPDATE service_accounts SET deleted_at = $3, confirmation_hash = NULL, confirmation_expires_at = NULL, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;

const ORDERS = {
  created_at: 'r.created_at, r.id',
  '-created_at': 'r.created_at DESC, r.id DESC',
  name: 'r.name, r.id',
  '-name': 'r.name DESC, r.id DESC',
} as const;

export type ServiceAccountStore = ReturnType<typeof createServiceAccountStore>;

/** Stores service accounts. Deleted ones are not found. */
export function createServiceAccountStore(deps: { tenants: TenantDatabase; clock: () => Date }) {
  const { tenants, clock } = deps;
  const find = (organizationId: OrganizationId, id: ServiceAccountId) => FIND(organizationId, clock(), id);

  async function read({ connection, organizationId }: Change, id: ServiceAccountId) {
    return (await connection.query<Stored<ServiceAccount>>(find(organizationId, id)))[0];
  }
  /** Reads an account after a change. */
  async function written(change: Change, id: ServiceAccountId): Promise<Stored<ServiceAccount>> {
    const stored = await read(change, id);
    if (!stored) throw new Error('a service account is gone while it is locked');
    return stored;
  }

  return {
    written,
    list: (organizationId: OrganizationId, query: ListServiceAccounts) =>
      queryPage<ServiceAccount>(tenants, organizationId, query, {
        name: `service_accounts_list_${query.sort}`,
        from: 'service_accounts r',
        where: PRESENT,
        values: [clock()],
        filters: [
          { name: 'role', value: query.role, condition: (role) => `r.role = ${role}` },
          { name: 'status', value: query.status, condition: (status) => `r.status = ${status}` },
          {
            name: 'search',
            value: query.search,
            condition: (part) => `strpos(lower(r.name), lower(${part})) > 0`,
          },
        ],
        orderBy: ORDERS[query.sort],
        json: JSON_OF,
      }),
    async find(organizationId: OrganizationId, id: ServiceAccountId) {
      return (
        await tenants.queryAsTenant<Stored<ServiceAccount>>(organizationId, find(organizationId, id))
      )[0];
    },
    /** Waits for other changes of the account and its keys, and returns its resulting state. */
    async lock(change: Change, id: ServiceAccountId) {
      await change.connection.query(LOCK(change.organizationId, id));
      return read(change, id);
    },
    /** Blocks other creations until the transaction ends. */
    async lockAndCount({ connection, organizationId }: Change) {
      await connection.query(LOCK_ALL(organizationId));
      const [row] = await connection.query<{ present: number; all: number }>(COUNT(organizationId));
      return row ?? { present: 0, all: 0 };
    },
    async create(change: Change, id: ServiceAccountId, account: CreateServiceAccount, maker: Maker) {
      const { name, description, role } = account;
      const { connection, organizationId } = change;
      await connection.query(CREATE(organizationId, id, name, description, role, maker.type, maker.id));
      return written(change, id);
    },
    async update(change: Change, account: ServiceAccount) {
      const { id, name, description, role, status } = account;
      const { connection, organizationId } = change;
      await connection.query(UPDATE(organizationId, id, name, description, role, status));
      return written(change, id);
    },
    async setDeleted({ connection, organizationId }: Change, id: ServiceAccountId) {
      await connection.query(SET_DELETED(organizationId, id, clock()));
    },
  };
}
