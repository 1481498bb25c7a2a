import type { SiteId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../changes/change.ts';
import type { Stored } from '../domain/stored.ts';
import { createResourceStore, type ResourceStore } from '../resources/resource-store.ts';
import { CHANGED, isoTime } from '../storage/columns.ts';
import type { ListSites, Site } from './site.ts';

export interface SiteStore extends ResourceStore<Site, ListSites> {
  create(
    change: Change,
    site: { id: SiteId; name: string; allowedOrigins: readonly string[] },
  ): Promise<Stored<Site>>;
  /** Every change ends with it. */
  raiseVersion(change: Change, id: SiteId): Promise<Stored<Site>>;
  rename(change: Change, id: SiteId, name: string): Promise<Stored<Site>>;
}

/** `$2` is the time. */
const OF_SITE = 'o.organization_id = r.organization_id AND o.site_id = r.id';
const LIVE = '(o.expires_at IS NULL OR o.expires_at > $2::timestamptz)';
const SITE_JSON = `json_build_object('id', r.id, 'name', r.name, 'allowed_origins', (
    SELECT coalesce(json_agg(o.origin ORDER BY o.position, o.origin), '[]') FROM site_origins o
    WHERE ${OF_SITE} AND ${LIVE}
  ), 'created_at', ${isoTime('created_at')})`;
/** Origins whose time has come change the site without touching its row. */
const VERSION = `r.version || coalesce((
  SELECT '.' || nullif(count(*), 0) FROM site_origins o WHERE ${OF_SITE} AND NOT ${LIVE}
), '')`;

const CREATE = 'INSERT INTO sites (organization_id, id, name) VALUES ($1, $2, $3)';
const ADD_ORIGINS = `INSERT INTO site_origins (organization_id, site_id, origin, position)
SELECT $1::text, $2::text, o.origin, o.position FROM unnest($3::text[]) WITH ORDINALITY AS o (origin, position)`;
const RAISE_VERSION = `UPDATE sites SET ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const RENAME = 'UPDATE sites SET name = $3 WHERE organization_id = $1 AND id = $2';

export function createSiteStore(deps: { tenants: TenantDatabase; clock: () => Date }): SiteStore {
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
    create(change, { id, name, allowedOrigins }) {
      const site = [change.organizationId, id];
      return common.write(
        change,
        id,
        { name: 'site_create', text: CREATE, values: [...site, name] },
        { name: 'site_create_origins', text: ADD_ORIGINS, values: [...site, allowedOrigins] },
      );
    },
    raiseVersion(change, id) {
      const values = [change.organizationId, id];
      return common.write(change, id, { name: 'site_raise_version', text: RAISE_VERSION, values });
    },
    rename(change, id, name) {
      const values = [change.organizationId, id, name];
      return common.write(change, id, { name: 'site_rename', text: RENAME, values });
    },
  };
}
