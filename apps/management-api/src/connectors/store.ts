import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import { Problem } from '@legate/service';
import type { Stored } from '../api/stored.ts';
import type { Connector, ConnectorSettings, ListConnectors } from './connector.ts';

/** What becomes of the secret: as it is, none, or another one, sealed. */
export type SecretChange = 'keep' | 'drop' | { readonly sealed: Buffer; readonly at: Date };
export type CheckResult = Pick<Connector, 'status' | 'metadata' | 'last_error'>;

/** Connectors that were not deleted, unless it says otherwise. Never gives a secret away. */
export interface ConnectorStore {
  /** In the order asked for, then by id. Page and total are of the same moment. */
  list(
    organizationId: string,
    query: ListConnectors,
  ): Promise<{ connectors: readonly Connector[]; total: number }>;
  find(organizationId: string, id: string): Promise<Stored<Connector> | undefined>;
  /** @throws {Problem} 409 `resource_already_registered`; so do `update` and `setDeleted` */
  create(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    settings: ConnectorSettings,
    secret: SecretChange,
  ): Promise<Stored<Connector>>;
  /** Waits for other changes of the connector, and returns it as they left it. */
  lock(
    connection: TenantConnection,
    organizationId: string,
    id: string,
  ): Promise<Stored<Connector> | undefined>;
  /** Another resource has not been checked. */
  update(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    settings: ConnectorSettings,
    secret: SecretChange,
  ): Promise<Stored<Connector>>;
  saveCheck(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    result: CheckResult,
  ): Promise<Stored<Connector>>;
  /** Locks a connector that was not deleted before `since`. */
  lockRestorable(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    since: Date,
  ): Promise<{ deleted: boolean } | undefined>;
  /** `null` brings the connector back. */
  setDeleted(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    deletedAt: Date | null,
  ): Promise<Stored<Connector>>;
}

const time = (column: string) => `to_char(c.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const CONNECTOR_JSON = `json_build_object('id', c.id, 'name', c.name, 'resource_url', c.resource_url,
  'auth_method', c.auth_method, 'service_kind', c.service_kind, 'scopes', c.scopes, 'client_id', c.client_id,
  'has_secret', c.secret IS NOT NULL, 'secret_updated_at', ${time('secret_updated_at')},
  'discovery', json_build_object('auth', c.discovery_auth), 'status', c.status, 'metadata', c.metadata,
  'last_error', c.last_error, 'enabled', c.enabled, 'acknowledge_legacy', c.acknowledge_legacy,
  'created_at', ${time('created_at')}, 'updated_at', ${time('updated_at')})`;
const STORED = `${CONNECTOR_JSON} AS value, c.version::text`;

const ORDER_BY = {
  created_at: 'c.created_at, c.id',
  '-created_at': 'c.created_at DESC, c.id DESC',
  name: 'c.name, c.id',
  '-name': 'c.name DESC, c.id DESC',
} as const;

const LISTED = `c.organization_id = $1 AND c.deleted_at IS NULL AND ($4::text IS NULL OR c.auth_method = $4)
  AND ($5::boolean IS NULL OR c.enabled = $5)`;
const list = (orderBy: string) => `WITH page AS (
  SELECT c.* FROM connectors c WHERE ${LISTED} ORDER BY ${orderBy} LIMIT $2 OFFSET $3
)
SELECT
  (SELECT count(*)::int FROM connectors c WHERE ${LISTED}) AS total,
  (SELECT coalesce(json_agg(${CONNECTOR_JSON} ORDER BY ${orderBy}), '[]') FROM page c) AS connectors`;

const ONE = 'c.organization_id = $1 AND c.id = $2';
const FIND = `SELECT ${STORED} FROM connectors c WHERE ${ONE} AND c.deleted_at IS NULL`;
const CREATE = `INSERT INTO connectors AS c (organization_id, id, name, resource_url, auth_method, service_kind, scopes,
  client_id, discovery_auth, enabled, acknowledge_legacy, secret, secret_updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING ${STORED}`;
const CHANGED = 'version = c.version + 1, updated_at = clock_timestamp()';
const UPDATE = `UPDATE connectors c SET name = $3, resource_url = $4, auth_method = $5, service_kind = $6, scopes = $7,
  client_id = $8, discovery_auth = $9, enabled = $10, acknowledge_legacy = $11,
  secret = CASE WHEN $14 THEN c.secret ELSE $12::bytea END,
  secret_updated_at = CASE WHEN $14 THEN c.secret_updated_at ELSE $13::timestamptz END,
  status = CASE WHEN c.resource_url = $4 THEN c.status ELSE 'pending' END,
  metadata = CASE WHEN c.resource_url = $4 THEN c.metadata END,
  last_error = CASE WHEN c.resource_url = $4 THEN c.last_error END,
  ${CHANGED} WHERE ${ONE} RETURNING ${STORED}`;
const SAVE_CHECK = `UPDATE connectors c SET status = $3, metadata = $4, last_error = $5, ${CHANGED}
WHERE ${ONE} RETURNING ${STORED}`;
const LOCK_RESTORABLE = `SELECT deleted_at IS NOT NULL AS deleted FROM connectors
WHERE organization_id = $1 AND id = $2 AND (deleted_at IS NULL OR deleted_at > $3) FOR UPDATE`;
const SET_DELETED = `UPDATE connectors c SET deleted_at = $3, ${CHANGED} WHERE ${ONE} RETURNING ${STORED}`;

export function createConnectorStore(tenants: TenantDatabase): ConnectorStore {
  const one = async (
    connection: TenantConnection,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Stored<Connector>> => {
    const [row] = await connection
      .query<Stored<Connector>>({ name, text, values })
      .catch(refuseSecondRegistration);
    if (!row) throw new Error('a connector is gone while it is locked');
    return row;
  };

  return {
    async list(organizationId, { limit, offset, sort, auth_method, enabled }) {
      const values = [organizationId, limit, offset, auth_method ?? null, enabled ?? null];
      const statement = { name: `connectors_list_${sort}`, text: list(ORDER_BY[sort]), values };
      const [row] = await tenants.queryAsTenant<{ connectors: Connector[]; total: number }>(
        organizationId,
        statement,
      );
      return row ?? { connectors: [], total: 0 };
    },
    async find(organizationId, id) {
      const statement = { name: 'connector_find', text: FIND, values: [organizationId, id] };
      const [row] = await tenants.queryAsTenant<Stored<Connector>>(organizationId, statement);
      return row;
    },
    create: (connection, organizationId, id, settings, secret) =>
      one(connection, 'connector_create', CREATE, [organizationId, id, ...columns(settings, secret)]),
    async lock(connection, organizationId, id) {
      const statement = { name: 'connector_lock', text: `${FIND} FOR UPDATE`, values: [organizationId, id] };
      const [row] = await connection.query<Stored<Connector>>(statement);
      return row;
    },
    update: (connection, organizationId, id, settings, secret) =>
      one(connection, 'connector_update', UPDATE, [
        organizationId,
        id,
        ...columns(settings, secret),
        secret === 'keep',
      ]),
    saveCheck: (connection, organizationId, id, { status, metadata, last_error }) =>
      one(connection, 'connector_save_check', SAVE_CHECK, [
        organizationId,
        id,
        status,
        metadata && JSON.stringify(metadata),
        last_error && JSON.stringify(last_error),
      ]),
    async lockRestorable(connection, organizationId, id, since) {
      const [row] = await connection.query<{ deleted: boolean }>({
        name: 'connector_lock_restorable',
        text: LOCK_RESTORABLE,
        values: [organizationId, id, since],
      });
      return row;
    },
    setDeleted: (connection, organizationId, id, deletedAt) =>
      one(connection, 'connector_set_deleted', SET_DELETED, [organizationId, id, deletedAt]),
  };
}

function columns(settings: ConnectorSettings, secret: SecretChange): unknown[] {
  const [sealed, at] = typeof secret === 'object' ? [secret.sealed, secret.at] : [null, null];
  return [
    settings.name,
    settings.resource_url,
    settings.auth_method,
    settings.service_kind,
    settings.scopes,
    settings.client_id,
    settings.discovery.auth,
    settings.enabled,
    settings.acknowledge_legacy,
    sealed,
    at,
  ];
}

/** The index decides, so that of two registrations at the same time one is refused. */
function refuseSecondRegistration(err: unknown): never {
  if (err instanceof Error && 'constraint' in err && err.constraint === 'connectors_resource') {
    throw new Problem(409, 'resource_already_registered', 'Resource already registered', {
      detail: 'The organization has another connector for this resource_url.',
    });
  }
  throw err;
}
