import type { OrganizationId, SiteId } from '@legate/ids';
import type { PageRequest } from '@legate/pagination';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import { isoTime } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { SiteOrigin } from './site-origin.ts';

const ORIGIN_JSON = `json_build_object('origin', r.origin, 'expires_at', ${isoTime('expires_at')})`;
const LIVE = (row: string, now: string) =>
  `(${row}.expires_at IS NULL OR ${row}.expires_at > ${now}::timestamptz)`;
const OF_SITE = 'r.organization_id = $1 AND r.site_id = $2';
const FIND_ANY = statement('origin_find')`SELECT ${ORIGIN_JSON} AS origin FROM site_origins r
WHERE ${OF_SITE} AND r.origin = $3`;
const READ = statement('origin_read')`SELECT ${ORIGIN_JSON} AS origin FROM site_origins r
WHERE ${OF_SITE} AND r.origin = $3 AND ${LIVE('r', '$4')}`;
const SAVE = statement(
  'origin_save',
)`INSERT INTO site_origins AS o (organization_id, site_id, origin, expires_at, position)
SELECT $1::text, $2::text, $3::text, $4::timestamptz, coalesce(max(position), 0) + 1 FROM site_origins
WHERE organization_id = $1 AND site_id = $2
ON CONFLICT (site_id, origin) DO UPDATE SET expires_at = excluded.expires_at,
  position = CASE WHEN ${LIVE('o', '$5')} THEN o.position ELSE excluded.position END`;
const REMOVE = statement('origin_remove')`DELETE FROM site_origins
WHERE organization_id = $1 AND site_id = $2 AND origin = $3`;
const REMOVE_PERMANENT = statement('origins_remove_permanent')`DELETE FROM site_origins
WHERE organization_id = $1 AND site_id = $2 AND (expires_at IS NULL OR expires_at <= $3)`;
/** The remaining temporary origins are sorted after the listed ones. */
const MOVE_BACK = statement('origins_move_back')`UPDATE site_origins r SET position = $3::int + p.n FROM (
  SELECT origin, row_number() OVER (ORDER BY position, origin) AS n FROM site_origins
  WHERE organization_id = $1 AND site_id = $2
) p WHERE ${OF_SITE} AND r.origin = p.origin`;
const ADD_LISTED = statement(
  'origins_add_listed',
)`INSERT INTO site_origins (organization_id, site_id, origin, position)
SELECT $1::text, $2::text, l.origin, l.position FROM unnest($3::text[]) WITH ORDINALITY AS l (origin, position)
ON CONFLICT (site_id, origin) DO UPDATE SET position = excluded.position`;

export type OriginStore = ReturnType<typeof createOriginStore>;

/** Finds origins of existing sites; expired origins are not found. */
export function createOriginStore(tenants: TenantDatabase) {
  return {
    list: (organizationId: OrganizationId, siteId: SiteId, page: PageRequest, now: Date) =>
      queryPage<SiteOrigin>(tenants, organizationId, page, {
        name: 'origins_list',
        from: 'site_origins r',
        where: `${OF_SITE} AND ${LIVE('r', '$3')}`,
        values: [siteId, now],
        orderBy: 'r.position, r.origin',
        json: ORIGIN_JSON,
      }),
    /** Finds an origin even if it has expired. */
    async findAny(organizationId: OrganizationId, siteId: SiteId, origin: string) {
      const sent = FIND_ANY(organizationId, siteId, origin);
      const [row] = await tenants.queryAsTenant<{ origin: SiteOrigin }>(organizationId, sent);
      return row?.origin;
    },
    async read({ connection, organizationId }: Change, siteId: SiteId, origin: string, now: Date) {
      const sent = READ(organizationId, siteId, origin, now);
      const [row] = await connection.query<{ origin: SiteOrigin }>(sent);
      return row?.origin;
    },
    /** Adds the origin after the others, or sets its expiry time. */
    async save({ connection, organizationId }: Change, siteId: SiteId, added: SiteOrigin, now: Date) {
      await connection.query(SAVE(organizationId, siteId, added.origin, added.expires_at, now));
    },
    async remove({ connection, organizationId }: Change, siteId: SiteId, origin: string) {
      await connection.query(REMOVE(organizationId, siteId, origin));
    },
    /**
     * Makes these the permanent origins. A temporary origin among them stays temporary, and other temporary
     * ones are kept.
     */
    async replacePermanent(change: Change, siteId: SiteId, origins: readonly string[], now: Date) {
      const { connection, organizationId } = change;
      await connection.query(REMOVE_PERMANENT(organizationId, siteId, now));
      await connection.query(MOVE_BACK(organizationId, siteId, origins.length));
      await connection.query(ADD_LISTED(organizationId, siteId, origins));
    },
  };
}
