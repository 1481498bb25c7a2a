import type { PageRequest } from '@legate/pagination';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { SiteOrigin } from './site-origin.ts';

/** Origins of sites that exist; those whose time has come are not found. */
export interface OriginStore {
  list(
    organizationId: string,
    siteId: string,
    page: PageRequest,
    now: Date,
  ): Promise<{ origins: readonly SiteOrigin[]; total: number }>;
  /** Also one whose time has come. */
  findAny(organizationId: string, siteId: string, origin: string): Promise<SiteOrigin | undefined>;
  read(
    connection: TenantConnection,
    organizationId: string,
    siteId: string,
    origin: string,
    now: Date,
  ): Promise<SiteOrigin | undefined>;
  /** Adds the origin behind the others, or gives it this time. */
  save(
    connection: TenantConnection,
    organizationId: string,
    siteId: string,
    origin: SiteOrigin,
    now: Date,
  ): Promise<void>;
  remove(connection: TenantConnection, organizationId: string, siteId: string, origin: string): Promise<void>;
  /** Makes these the permanent origins. A temporary one among them stays temporary, and the others are kept. */
  replacePermanent(
    connection: TenantConnection,
    organizationId: string,
    siteId: string,
    origins: readonly string[],
    now: Date,
  ): Promise<void>;
}

const ORIGIN_JSON = `json_build_object(
  'origin', o.origin,
  'expires_at', to_char(o.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
)`;
const OF_SITE = 'o.organization_id = $1 AND o.site_id = $2';
const LIVE = (now: string) => `(o.expires_at IS NULL OR o.expires_at > ${now}::timestamptz)`;

const LIST = `WITH page AS (
  SELECT o.origin, o.expires_at, o.position FROM site_origins o
  WHERE ${OF_SITE} AND ${LIVE('$5')} ORDER BY o.position, o.origin LIMIT $3 OFFSET $4
)
SELECT
  (SELECT count(*)::int FROM site_origins o WHERE ${OF_SITE} AND ${LIVE('$5')}) AS total,
  (SELECT coalesce(json_agg(${ORIGIN_JSON} ORDER BY o.position, o.origin), '[]') FROM page o) AS origins`;
const FIND = `SELECT ${ORIGIN_JSON} AS origin FROM site_origins o WHERE ${OF_SITE} AND o.origin = $3`;
const READ = `${FIND} AND ${LIVE('$4')}`;
const SAVE = `INSERT INTO site_origins AS o (organization_id, site_id, origin, expires_at, position)
SELECT $1::text, $2::text, $3::text, $4::timestamptz, coalesce(max(position), 0) + 1 FROM site_origins
WHERE organization_id = $1 AND site_id = $2
ON CONFLICT (site_id, origin) DO UPDATE SET expires_at = excluded.expires_at,
  position = CASE WHEN ${LIVE('$5')} THEN o.position ELSE excluded.position END`;
const REMOVE = 'DELETE FROM site_origins WHERE organization_id = $1 AND site_id = $2 AND origin = $3';
const REMOVE_PERMANENT = `DELETE FROM site_origins WHERE organization_id = $1 AND site_id = $2
AND (expires_at IS NULL OR expires_at <= $3)`;
/** The temporary ones that are left go behind the listed ones. */
const MOVE_BACK = `UPDATE site_origins o SET position = $3::int + r.n FROM (
  SELECT origin, row_number() OVER (ORDER BY position, origin) AS n FROM site_origins
  WHERE organization_id = $1 AND site_id = $2
) r WHERE ${OF_SITE} AND o.origin = r.origin`;
const ADD_LISTED = `INSERT INTO site_origins (organization_id, site_id, origin, position)
SELECT $1::text, $2::text, l.origin, l.position FROM unnest($3::text[]) WITH ORDINALITY AS l (origin, position)
ON CONFLICT (site_id, origin) DO UPDATE SET position = excluded.position`;

export function createOriginStore(tenants: TenantDatabase): OriginStore {
  return {
    async list(organizationId, siteId, { limit, offset }, now) {
      const values = [organizationId, siteId, limit, offset, now];
      const statement = { name: 'origins_list', text: LIST, values };
      const [row] = await tenants.queryAsTenant<{ origins: SiteOrigin[]; total: number }>(
        organizationId,
        statement,
      );
      return row ?? { origins: [], total: 0 };
    },
    async findAny(organizationId, siteId, origin) {
      const values = [organizationId, siteId, origin];
      const statement = { name: 'origin_find', text: FIND, values };
      const [row] = await tenants.queryAsTenant<{ origin: SiteOrigin }>(organizationId, statement);
      return row?.origin;
    },
    async read(connection, organizationId, siteId, origin, now) {
      const values = [organizationId, siteId, origin, now];
      const [row] = await connection.query<{ origin: SiteOrigin }>({
        name: 'origin_read',
        text: READ,
        values,
      });
      return row?.origin;
    },
    async save(connection, organizationId, siteId, { origin, expires_at }, now) {
      const values = [organizationId, siteId, origin, expires_at, now];
      await connection.query({ name: 'origin_save', text: SAVE, values });
    },
    async remove(connection, organizationId, siteId, origin) {
      const values = [organizationId, siteId, origin];
      await connection.query({ name: 'origin_remove', text: REMOVE, values });
    },
    async replacePermanent(connection, organizationId, siteId, origins, now) {
      const site = [organizationId, siteId];
      await connection.query({
        name: 'origins_remove_permanent',
        text: REMOVE_PERMANENT,
        values: [...site, now],
      });
      await connection.query({
        name: 'origins_move_back',
        text: MOVE_BACK,
        values: [...site, origins.length],
      });
      await connection.query({ name: 'origins_add_listed', text: ADD_LISTED, values: [...site, origins] });
    },
  };
}
