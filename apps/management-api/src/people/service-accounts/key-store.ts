import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import type { ApiKeyId, ServiceAccountId } from '../../domain/ids.ts';
import { orderByAge } from '../../storage/by-age.ts';
import { isoTime } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { ApiKey, ListApiKeys } from './api-key.ts';
import type { Maker } from './maker.ts';

const CREATED_BY = `CASE r.created_by_type
  WHEN 'user' THEN (SELECT json_build_object('type', 'user', 'id', r.created_by_id, 'name', max(m.name),
      'status', max(CASE WHEN m.removed_at IS NULL THEN 'active' ELSE coalesce(m.kept_out, 'removed') END))
    FROM members m WHERE m.organization_id = r.organization_id AND m.user_id = r.created_by_id)
  WHEN 'service_account' THEN (SELECT json_build_object('type', 'service_account', 'id', r.created_by_id,
      'name', max(a.name), 'status', max(CASE WHEN a.deleted_at IS NULL THEN a.status ELSE 'deleted' END))
    FROM service_accounts a WHERE a.organization_id = r.organization_id AND a.id = r.created_by_id) END`;
const KEY_JSON = `json_build_object('id', r.id, 'name', r.name, 'hint', r.hint, 'scopes', r.scopes,
  'allowed_ips', r.allowed_ips::text[], 'expires_at', ${isoTime('expires_at')},
  'revoked_at', ${isoTime('revoked_at')}, 'last_used_at', ${isoTime('last_used_at')},
  'last_used_ip', host(r.last_used_ip), 'rotated_to', r.rotated_to, 'created_by', ${CREATED_BY},
  'created_at', ${isoTime('created_at')})`;
const OF_ACCOUNT = `r.organization_id = $1 AND r.service_account_id = $2 AND r.kind = 'api'`;
/** @param time the SQL parameter that contains the time */
const stateAt = (time: string) => `CASE WHEN r.revoked_at IS NOT NULL THEN 'revoked'
  WHEN r.expires_at <= ${time}::timestamptz THEN 'expired' ELSE 'live' END`;

const FIND = statement(
  'api_key_find',
)`SELECT ${KEY_JSON} AS value FROM api_keys r WHERE ${OF_ACCOUNT} AND r.id = $3`;
const COUNT = statement(
  'api_keys_count',
)`SELECT count(*) FILTER (WHERE ${stateAt('$3')} = 'live')::int AS live, count(*)::int AS all
FROM api_keys r WHERE ${OF_ACCOUNT}`;
const CREATE = statement(
  'api_key_create',
)`INSERT INTO api_keys (organization_id, service_account_id, id, name, key_hash,
  hint, scopes, allowed_ips, expires_at, created_by_type, created_by_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT coalesce(array_agg(network(b::inet)::cidr), '{}') FROM unnest($8::text[]) b),
  $9, $10, $11, $12)`;
const ROTATE = statement(
  'api_key_rotate',
)`UPDATE api_keys SET rotated_to = $4, expires_at = least(expires_at, $5)
WHERE organization_id = $1 AND service_account_id = $2 AND id = $3`;
const REVOKE = statement('api_key_revoke')`UPDATE api_keys SET revoked_at = $4
WHERE organization_id = $1 AND service_account_id = $2 AND id = $3`;

/** The stored data of a new key that the API does not show */
export interface KeyToStore extends Pick<ApiKey, 'id' | 'name' | 'hint' | 'scopes' | 'allowed_ips'> {
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

export type KeyStore = ReturnType<typeof createKeyStore>;

/** Stores the API keys of an account. Methods that change a key must be called under the lock of its account. */
export function createKeyStore(deps: { tenants: TenantDatabase; clock: () => Date }) {
  const { tenants, clock } = deps;
  return {
    list: (organizationId: OrganizationId, accountId: ServiceAccountId, query: ListApiKeys) =>
      queryPage<ApiKey>(tenants, organizationId, query, {
        name: `api_keys_list_${query.sort}`,
        from: 'api_keys r',
        where: `${OF_ACCOUNT} AND $3::timestamptz IS NOT NULL`,
        values: [accountId, clock()],
        filters: [
          {
            name: 'state',
            value: query.state === 'any' ? undefined : query.state,
            condition: (state) => `${stateAt('$3')} = ${state}`,
          },
          {
            name: 'created_by',
            value: query.created_by,
            condition: (creator) => `r.created_by_id = ${creator}`,
          },
        ],
        orderBy: orderByAge(query.sort, 'id'),
        json: KEY_JSON,
      }),
    async find(organizationId: OrganizationId, accountId: ServiceAccountId, id: ApiKeyId) {
      const find = FIND(organizationId, accountId, id);
      return (await tenants.queryAsTenant<{ value: ApiKey }>(organizationId, find))[0]?.value;
    },
    async read({ connection, organizationId }: Change, accountId: ServiceAccountId, id: ApiKeyId) {
      return (await connection.query<{ value: ApiKey }>(FIND(organizationId, accountId, id)))[0]?.value;
    },
    async count({ connection, organizationId }: Change, accountId: ServiceAccountId) {
      const [row] = await connection.query<{ live: number; all: number }>(
        COUNT(organizationId, accountId, clock()),
      );
      return row ?? { live: 0, all: 0 };
    },
    async create(change: Change, accountId: ServiceAccountId, key: KeyToStore, maker: Maker) {
      const { id, name, hash, hint, scopes, allowed_ips, expiresAt } = key;
      const { connection, organizationId } = change;
      const shown = [organizationId, accountId, id, name, hash, hint, scopes, allowed_ips, expiresAt];
      await connection.query(CREATE(...shown, maker.type, maker.id, clock()));
    },
    async rotate(change: Change, accountId: ServiceAccountId, id: ApiKeyId, to: ApiKeyId, endsAt: Date) {
      await change.connection.query(ROTATE(change.organizationId, accountId, id, to, endsAt));
    },
    async revoke({ connection, organizationId }: Change, accountId: ServiceAccountId, id: ApiKeyId) {
      await connection.query(REVOKE(organizationId, accountId, id, clock()));
    },
  };
}
