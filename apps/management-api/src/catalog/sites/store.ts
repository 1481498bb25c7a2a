import type { SiteId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import { CHANGED, isoTime } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';
import { createResourceStore } from '../resources/resource-store.ts';
import type { ListSites, Site } from './site.ts';

/** SQL of the origins that have not expired; `$2` is the current time. */
const OF_SITE = 'o.organization_id = r.organization_id AND o.site_id = r.id';
const LIVE = '(o.expires_at IS NULL OR o.expires_at > $2::timestamptz)';
const SITE_JSON = `json_build_object('id', r.id, 'name', r.name, 'allowed_origins', (
    SELECT coalesce(json_agg(o.origin ORDER BY o.position, o.origin), '[]') FROM site_origins o
    WHERE ${OF_SITE} AND ${LIVE}
  ), 'created_at', ${isoTime('created_at')})`;
/**
 * SQL of a site's version. It includes expired origins, because an expiry changes the site without updating
 * its row.
 */
const VERSION = `r.version || coalesce((
  SELECT '.' || nullif(count(*), 0) FROM site_origins o WHERE ${OF_SITE} AND NOT ${LIVE}
), '')`;

const CREATE = statement('site_create')`INSERT INTO sites (organization_id, id, name) VALUES ($1, $2, $3)`;
const ADD_ORIGINS = statement('site_create_origins')`INSERT INTO site_origins
  (organization_id, site_id, origin, position)
SELECT $1::text, $2::text, o.origin, o.position FROM unnest($3::text[]) WITH ORDINALITY AS o (origin, position)`;
const RAISE_VERSION = statement('site_raise_version')`UPDATE sites SET ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const RENAME = statement('site_rename')`UPDATE sites SET name = $3 WHERE organization_id = $1 AND id = $2`;

export type SiteStore = ReturnType<typeof createSiteStore>;

export function createSiteStore(deps: { tenants: TenantDatabase; clock: () => Date }) {
  const common = createResourceStore<Site, ListSites>(deps.tenants, {
    name: 'site',
    table: 'sites',
    json: SITE_JSON,
    version: VERSION,
    values: () => [deps.clock()],
    filters: ({ search, origin }) => [
      {
        name: 'search',
        value: search,
        condition: (part) => `strpos(lower(r.name), lower(${part})) > 0`,
      },
      {
        name: 'origin',
        value: origin,
        condition: (wanted) =>
          `EXISTS (SELECT FROM site_origins o WHERE ${OF_SITE} AND o.origin = ${wanted} AND ${LIVE})`,
      },
    ],
  });

  return {
    ...common,
    create(change: Change, id: SiteId, name: string, allowedOrigins: readonly string[]) {
      const { organizationId } = change;
      const origins = ADD_ORIGINS(organizationId, id, allowedOrigins);
      return common.write(change, id, CREATE(organizationId, id, name), origins);
    },
    /** Every change ends with this statement. */
    raiseVersion: (change: Change, id: SiteId) =>
      common.write(change, id, RAISE_VERSION(change.organizationId, id)),
    rename: (change: Change, id: SiteId, name: string) =>
      common.write(change, id, RENAME(change.organizationId, id, name)),
  };
}
