import pg from 'pg';
import { POOL_SIZE, type Site } from './scene.ts';

/**
 * The list as a careful team would write it with pg: one statement, so that page and total agree and the total is
 * correct past the last page; the organization in every WHERE, in addition to row-level security. Origins are collected
 * outside the page: inside it PostgreSQL would also collect them for every row that the offset skips.
 */
const LIST = `SELECT t.total, s.id, s.name, s.created_at, ARRAY(
  SELECT o.origin FROM site_origins o
  WHERE o.organization_id = s.organization_id AND o.site_id = s.id AND (o.expires_at IS NULL OR o.expires_at > now())
  ORDER BY o.position, o.origin
) AS allowed_origins
FROM (
  SELECT count(*)::int AS total FROM sites WHERE organization_id = $1 AND deleted_at IS NULL
) t
LEFT JOIN (
  SELECT organization_id, id, name, created_at FROM sites WHERE organization_id = $1 AND deleted_at IS NULL
  ORDER BY created_at, id LIMIT $2 OFFSET $3
) s ON true
ORDER BY s.created_at, s.id`;

interface Row {
  readonly total: number;
  /** Null, like the rest of the site, if the page is empty */
  readonly id: string | null;
  readonly name: string;
  readonly created_at: Date;
  readonly allowed_origins: string[];
}

export interface PeerDatabase {
  readonly pool: pg.Pool;
  list(
    organizationId: string,
    page: { limit: number; offset: number },
  ): Promise<{ sites: Site[]; total: number }>;
}

/** @param options.prepared whether the statement is prepared once for each connection, or planned for each request */
export function createPeerDatabase(options: { url: string; prepared: boolean }): PeerDatabase {
  const pool = new pg.Pool({ connectionString: options.url, max: POOL_SIZE });
  const name = options.prepared ? { name: 'list_sites' } : {};
  return {
    pool,
    async list(organizationId, { limit, offset }) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await client.query("SELECT set_config('app.organization_id', $1, true)", [organizationId]);
        const { rows } = await client.query<Row>({
          ...name,
          text: LIST,
          values: [organizationId, limit, offset],
        });
        await client.query('COMMIT');
        return { sites: rows.flatMap(toSite), total: rows[0]?.total ?? 0 };
      } catch (err) {
        await client.query('ROLLBACK');
        throw err;
      } finally {
        client.release();
      }
    },
  };
}

function toSite({ id, name, allowed_origins, created_at }: Row): Site[] {
  return id === null ? [] : [{ id, name, allowed_origins, created_at: created_at.toISOString() }];
}
