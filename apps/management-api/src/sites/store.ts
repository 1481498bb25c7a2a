import type { PageRequest } from '@legate/pagination';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { Stored } from '../api/stored.ts';
import type { ListSites, Site } from './site.ts';

/** Times come in as parameters, so that there is one clock. */
export interface SiteStore {
  /** In the order asked for, then by id. Page and total are of the same moment. */
  list(
    organizationId: string,
    query: PageRequest & Omit<ListSites, keyof PageRequest>,
    now: Date,
  ): Promise<{ sites: readonly Site[]; total: number }>;
  find(organizationId: string, id: string, now: Date): Promise<Stored<Site> | undefined>;
  create(
    connection: TenantConnection,
    organizationId: string,
    site: { id: string; name: string; allowedOrigins: readonly string[] },
  ): Promise<Stored<Site>>;
  /** Waits for other changes of the site, and returns it as they left it. */
  lock(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    now: Date,
  ): Promise<Stored<Site> | undefined>;
  /** Locks a site that was not deleted before `since`. */
  lockRestorable(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    since: Date,
  ): Promise<{ deleted: boolean } | undefined>;
  read(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    now: Date,
  ): Promise<Stored<Site> | undefined>;
  /** Every change ends with it. */
  raiseVersion(connection: TenantConnection, organizationId: string, id: string): Promise<void>;
  rename(connection: TenantConnection, organizationId: string, id: string, name: string): Promise<void>;
  /** `null` brings the site back. */
  setDeleted(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    deletedAt: Date | null,
  ): Promise<void>;
}

/** A site as JSON; times are formatted where their precision is known. */
const siteJson = (now: string) => `json_build_object(
  'id', s.id,
  'name', s.name,
  'allowed_origins', (
    SELECT coalesce(json_agg(o.origin ORDER BY o.position, o.origin), '[]') FROM site_origins o
    WHERE o.organization_id = s.organization_id AND o.site_id = s.id
      AND (o.expires_at IS NULL OR o.expires_at > ${now}::timestamptz)
  ),
  'created_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
)`;

const ORDER_BY = {
  created_at: 's.created_at, s.id',
  '-created_at': 's.created_at DESC, s.id DESC',
  name: 's.name, s.id',
  '-name': 's.name DESC, s.id DESC',
} as const;

/**
 * One statement, so that the page and the total agree. Not `count(*) OVER ()`: it is lost with the rows when the offset
 * lies past the end. The organization is in every WHERE although the policies say it too. One text for each kind of
 * question, so that the plain one is not planned for the filters.
 */
function listStatement({ sort, search, origin, limit, offset }: PageRequest & ListSites, now: Date) {
  const values: unknown[] = [limit, offset, now];
  const parameter = (value: unknown) => `$${values.push(value) + 1}`;
  const filters = ['s.organization_id = $1 AND s.deleted_at IS NULL'];
  if (search !== undefined) filters.push(`strpos(lower(s.name), lower(${parameter(search)})) > 0`);
  if (origin !== undefined) {
    filters.push(`EXISTS (SELECT FROM site_origins o WHERE o.organization_id = s.organization_id
      AND o.site_id = s.id AND o.origin = ${parameter(origin)}
      AND (o.expires_at IS NULL OR o.expires_at > $4::timestamptz))`);
  }
  const where = filters.join(' AND ');
  return {
    name: `sites_list_${sort}${search === undefined ? '' : '_search'}${origin === undefined ? '' : '_origin'}`,
    text: `WITH page AS (
  SELECT s.id, s.organization_id, s.name, s.created_at FROM sites s
  WHERE ${where} ORDER BY ${ORDER_BY[sort]} LIMIT $2 OFFSET $3
)
SELECT
  (SELECT count(*)::int FROM sites s WHERE ${where}) AS total,
  (SELECT coalesce(json_agg(${siteJson('$4')} ORDER BY ${ORDER_BY[sort]}), '[]') FROM page s) AS sites`,
    values,
  };
}

/** Origins whose time has come change the site without touching its row. */
const FIND = `SELECT ${siteJson('$3')} AS value, s.version || coalesce((
  SELECT '.' || nullif(count(*), 0) FROM site_origins o
  WHERE o.organization_id = s.organization_id AND o.site_id = s.id AND o.expires_at <= $3::timestamptz
), '') AS version FROM sites s
WHERE s.organization_id = $1 AND s.id = $2 AND s.deleted_at IS NULL`;

/** The new rows are not visible to the rest of their own statement, so the origins are returned as they came. */
const CREATE = `WITH s AS (
  INSERT INTO sites (organization_id, id, name) VALUES ($1, $2, $3)
  RETURNING organization_id, id, name, version, created_at
), origins AS (
  INSERT INTO site_origins (organization_id, site_id, origin, position)
  SELECT s.organization_id, s.id, o.origin, o.position
  FROM s, unnest($4::text[]) WITH ORDINALITY AS o (origin, position)
)
SELECT s.version::text, json_build_object(
  'id', s.id,
  'name', s.name,
  'allowed_origins', to_json($4::text[]),
  'created_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
) AS value FROM s`;

const LOCK = `SELECT 1 FROM sites WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;
const LOCK_RESTORABLE = `SELECT deleted_at IS NOT NULL AS deleted FROM sites
WHERE organization_id = $1 AND id = $2 AND (deleted_at IS NULL OR deleted_at > $3) FOR UPDATE`;
const RAISE_VERSION = `UPDATE sites SET version = version + 1, updated_at = clock_timestamp()
WHERE organization_id = $1 AND id = $2`;
const RENAME = 'UPDATE sites SET name = $3 WHERE organization_id = $1 AND id = $2';
const SET_DELETED = 'UPDATE sites SET deleted_at = $3 WHERE organization_id = $1 AND id = $2';

export function createSiteStore(tenants: TenantDatabase): SiteStore {
  const findStatement = (values: unknown[]) => ({ name: 'site_find', text: FIND, values });
  const read: SiteStore['read'] = async (connection, organizationId, id, now) => {
    const [row] = await connection.query<Stored<Site>>(findStatement([organizationId, id, now]));
    return row;
  };

  return {
    read,
    async list(organizationId, query, now) {
      const { name, text, values } = listStatement(query, now);
      const statement = { name, text, values: [organizationId, ...values] };
      const [row] = await tenants.queryAsTenant<{ sites: Site[]; total: number }>(organizationId, statement);
      return row ?? { sites: [], total: 0 };
    },
    async find(organizationId, id, now) {
      const statement = findStatement([organizationId, id, now]);
      const [row] = await tenants.queryAsTenant<Stored<Site>>(organizationId, statement);
      return row;
    },
    async create(connection, organizationId, { id, name, allowedOrigins }) {
      const values = [organizationId, id, name, allowedOrigins];
      const [row] = await connection.query<Stored<Site>>({ name: 'site_create', text: CREATE, values });
      if (!row) throw new Error('a new site was not returned');
      return row;
    },
    async lock(connection, organizationId, id, now) {
      const statement = { name: 'site_lock', text: LOCK, values: [organizationId, id] };
      const [locked] = await connection.query(statement);
      // A second statement: the first one's view of the origins is older than the lock it waited for.
      return locked ? read(connection, organizationId, id, now) : undefined;
    },
    async lockRestorable(connection, organizationId, id, since) {
      const values = [organizationId, id, since];
      const [row] = await connection.query<{ deleted: boolean }>({
        name: 'site_lock_restorable',
        text: LOCK_RESTORABLE,
        values,
      });
      return row;
    },
    async raiseVersion(connection, organizationId, id) {
      const values = [organizationId, id];
      await connection.query({ name: 'site_raise_version', text: RAISE_VERSION, values });
    },
    async rename(connection, organizationId, id, name) {
      const values = [organizationId, id, name];
      await connection.query({ name: 'site_rename', text: RENAME, values });
    },
    async setDeleted(connection, organizationId, id, deletedAt) {
      const values = [organizationId, id, deletedAt];
      await connection.query({ name: 'site_set_deleted', text: SET_DELETED, values });
    },
  };
}
