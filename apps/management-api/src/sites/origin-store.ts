import type { OrganizationId, SiteId } from '@legate/ids';
import type { Page, PageRequest } from '@legate/pagination';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../changes/change.ts';
import { isoTime } from '../storage/columns.ts';
import { queryPage } from '../storage/page-statement.ts';
import type { SiteOrigin } from './site-origin.ts';

/** Origins of sites that exist; those whose time has come are not found. */
export interface OriginStore {
  list(
    organizationId: OrganizationId,
    siteId: SiteId,
    page: PageRequest,
    now: Date,
  ): Promise<Page<SiteOrigin>>;
  /** Also finds an expired one. */
  findAny(organizationId: OrganizationId, siteId: SiteId, origin: string): Promise<SiteOrigin | undefined>;
  read(change: Change, siteId: SiteId, origin: string, now: Date): Promise<SiteOrigin | undefined>;
  /** Adds the origin behind the others, or gives it this time. */
  save(change: Change, siteId: SiteId, origin: SiteOrigin, now: Date): Promise<void>;
  remove(change: Change, siteId: SiteId, origin: string): Promise<void>;
  /** Makes these the permanent origins. A temporary one among them stays temporary, and the others are kept. */
  replacePermanent(change: Change, siteId: SiteId, origins: readonly string[], now: Date): Promise<void>;
}

const ORIGIN_JSON = `json_build_object('origin', r.origin, 'expires_at', ${isoTime('expires_at')})`;
const LIVE = (row: string, now: string) =>
  `(${row}.expires_at IS NULL OR ${row}.expires_at > ${now}::timestamptz)`;
const OF_SITE = 'r.organization_id = $1 AND r.site_id = $2';
const FIND = `SELECT ${ORIGIN_JSON} AS origin FROM site_origins r WHERE ${OF_SITE} AND r.origin = $3`;
const READ = `${FIND} AND ${LIVE('r', '$4')}`;
const SAVE = `INSERT INTO site_origins AS o (organization_id, site_id, origin, expires_at, position)
SELECT $1::text, $2::text, $3::text, $4::timestamptz, coalesce(max(position), 0) + 1 FROM site_origins
WHERE organization_id = $1 AND site_id = $2
ON CONFLICT (site_id, origin) DO UPDATE SET expires_at = excluded.expires_at,
  position = CASE WHEN ${LIVE('o', '$5')} THEN o.position ELSE excluded.position END`;
const REMOVE = 'DELETE FROM site_origins WHERE organization_id = $1 AND site_id = $2 AND origin = $3';
const REMOVE_PERMANENT = `DELETE FROM site_origins WHERE organization_id = $1 AND site_id = $2
AND (expires_at IS NULL OR expires_at <= $3)`;
/** The temporary ones that are left go behind the listed ones. */
const MOVE_BACK = `UPDATE site_origins r SET position = $3::int + p.n FROM (
  SELECT origin, row_number() OVER (ORDER BY position, origin) AS n FROM site_origins
  WHERE organization_id = $1 AND site_id = $2
) p WHERE ${OF_SITE} AND r.origin = p.origin`;
const ADD_LISTED = `INSERT INTO site_origins (organization_id, site_id, origin, position)
SELECT $1::text, $2::text, l.origin, l.position FROM unnest($3::text[]) WITH ORDINALITY AS l (origin, position)
ON CONFLICT (site_id, origin) DO UPDATE SET position = excluded.position`;

export function createOriginStore(tenants: TenantDatabase): OriginStore {
  return {
    list: (organizationId, siteId, page, now) =>
      queryPage(tenants, organizationId, page, {
        name: 'origins_list',
        from: 'site_origins r',
        where: `${OF_SITE} AND ${LIVE('r', '$3')}`,
        values: [siteId, now],
        orderBy: 'r.position, r.origin',
        json: ORIGIN_JSON,
      }),
    async findAny(organizationId, siteId, origin) {
      const values = [organizationId, siteId, origin];
      const statement = { name: 'origin_find', text: FIND, values };
      const [row] = await tenants.queryAsTenant<{ origin: SiteOrigin }>(organizationId, statement);
      return row?.origin;
    },
    async read({ connection, organizationId }, siteId, origin, now) {
      const values = [organizationId, siteId, origin, now];
      const statement = { name: 'origin_read', text: READ, values };
      const [row] = await connection.query<{ origin: SiteOrigin }>(statement);
      return row?.origin;
    },
    async save({ connection, organizationId }, siteId, { origin, expires_at }, now) {
      const values = [organizationId, siteId, origin, expires_at, now];
      await connection.query({ name: 'origin_save', text: SAVE, values });
    },
    async remove({ connection, organizationId }, siteId, origin) {
      const values = [organizationId, siteId, origin];
      await connection.query({ name: 'origin_remove', text: REMOVE, values });
    },
    async replacePermanent({ connection, organizationId }, siteId, origins, now) {
      const send = (name: string, text: string, value: unknown) =>
        connection.query({ name, text, values: [organizationId, siteId, value] });
      await send('origins_remove_permanent', REMOVE_PERMANENT, now);
      await send('origins_move_back', MOVE_BACK, origins.length);
      await send('origins_add_listed', ADD_LISTED, origins);
    },
  };
}
