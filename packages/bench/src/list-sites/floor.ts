/**
 * The minimal correct implementation: node:http, no checks, and one prepared query for which PostgreSQL returns the
 * whole body as text.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { listen } from '../harness/json-server.ts';
import { POOL_SIZE, SITES_PATH } from './scene.ts';

const { PORT = '0', DATABASE_URL = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: POOL_SIZE });

const LIST = `WITH page AS (
  SELECT s.id, s.name, s.created_at FROM sites s
  WHERE s.organization_id = $1 AND s.deleted_at IS NULL ORDER BY s.created_at, s.id LIMIT $2 OFFSET $3
), t AS (
  SELECT count(*)::int AS total FROM sites s WHERE s.organization_id = $1 AND s.deleted_at IS NULL
)
SELECT json_build_object(
  'data', (
    SELECT coalesce(json_agg(json_build_object(
      'id', s.id,
      'name', s.name,
      'allowed_origins', (SELECT json_agg(o.origin ORDER BY o.position) FROM site_origins o WHERE o.site_id = s.id),
      'created_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) ORDER BY s.created_at, s.id), '[]') FROM page s
  ),
  'pagination', json_build_object(
    'total', t.total, 'limit', $2::int, 'offset', $3::int,
    'has_more', $3::int + (SELECT count(*) FROM page) < t.total
  )
)::text AS body FROM t`;

/** Reads the organization from the token without verifying it. */
function organizationIn(authorization = ''): unknown {
  const [, payload = ''] = authorization.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).organization_id;
}

const server = createServer(async (req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://127.0.0.1');
  if (pathname !== SITES_PATH) return void res.end();
  const values = [
    organizationIn(req.headers.authorization),
    searchParams.get('limit') ?? 20,
    searchParams.get('offset') ?? 0,
  ];
  const { rows } = await pool.query<{ body: string }>({ name: 'list', text: LIST, values });
  const body = rows[0]?.body ?? '';
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
});
await listen(server, Number(PORT));
