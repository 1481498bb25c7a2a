import type { PageRequest } from '@legate/pagination';
import type { TenantDatabase } from '@legate/postgres';
import type { Site } from './site.ts';

export interface StoredSite {
  readonly site: Site;
  /** Grows with every change */
  readonly version: number;
}

export interface SiteStore {
  /** Oldest first, then by id. Page and total are of the same moment. */
  list(organizationId: string, page: PageRequest): Promise<{ sites: readonly Site[]; total: number }>;
  find(organizationId: string, id: string): Promise<StoredSite | undefined>;
  create(
    organizationId: string,
    site: { id: string; name: string; allowedOrigins: readonly string[] },
  ): Promise<StoredSite>;
}

/** A site as JSON; times are formatted where their precision is known. */
const SITE_JSON = `json_build_object(
  'id', s.id,
  'name', s.name,
  'allowed_origins', (
    SELECT coalesce(json_agg(o.origin ORDER BY o.position), '[]') FROM site_origins o
    WHERE o.organization_id = s.organization_id AND o.site_id = s.id
      AND (o.expires_at IS NULL OR o.expires_at > clock_timestamp())
  ),
  'created_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
)`;

/**
 * One statement, so that the page and the total agree. Not `count(*) OVER ()`: it is lost with the rows when the offset
 * lies past the end. The organization is in every WHERE although the policies say it too.
 */
const LIST = `WITH page AS (
  SELECT id, organization_id, name, created_at FROM sites
  WHERE organization_id = $1 AND deleted_at IS NULL
  ORDER BY created_at, id LIMIT $2 OFFSET $3
)
SELECT
  (SELECT count(*)::int FROM sites WHERE organization_id = $1 AND deleted_at IS NULL) AS total,
  (SELECT coalesce(json_agg(${SITE_JSON} ORDER BY s.created_at, s.id), '[]') FROM page s) AS sites`;

const FIND = `SELECT s.version, ${SITE_JSON} AS site FROM sites s
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
SELECT s.version, json_build_object(
  'id', s.id,
  'name', s.name,
  'allowed_origins', to_json($4::text[]),
  'created_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
) AS site FROM s`;

export function createSiteStore(tenants: TenantDatabase): SiteStore {
  return {
    async list(organizationId, { limit, offset }) {
      const values = [organizationId, limit, offset];
      const [row] = await tenants.queryAsTenant<{ sites: Site[]; total: number }>(organizationId, {
        name: 'sites_list',
        text: LIST,
        values,
      });
      return row ?? { sites: [], total: 0 };
    },
    async find(organizationId, id) {
      const values = [organizationId, id];
      const [row] = await tenants.queryAsTenant<StoredSite>(organizationId, {
        name: 'site_find',
        text: FIND,
        values,
      });
      return row;
    },
    async create(organizationId, { id, name, allowedOrigins }) {
      const values = [organizationId, id, name, allowedOrigins];
      const [row] = await tenants.queryAsTenant<StoredSite>(organizationId, {
        name: 'site_create',
        text: CREATE,
        values,
      });
      if (!row) throw new Error('a new site was not returned');
      return row;
    },
  };
}
