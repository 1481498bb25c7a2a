import { fileURLToPath } from 'node:url';
import { runMigrations } from '@legate/postgres';
import pg from 'pg';
import { APPLICATION_ROLE, GROWTH, OTHERS, organizationOf, REQUESTS_PER_MINUTE, SITES } from './scene.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../apps/management-api/migrations', import.meta.url));

export interface BenchDatabase {
  /** Login of the owner and superuser. */
  readonly ownerUrl: string;
  /** Login of the role that is subject to row-level security. */
  readonly applicationUrl: string;
  drop(): Promise<void>;
}

const CREATE_ORGANIZATIONS = `INSERT INTO organizations (id, name, plan, rate_limit_per_minute)
SELECT id, id, 'custom', $2 FROM unnest($1::text[]) AS id`;
const CREATE_SITES = `INSERT INTO sites (organization_id, id, name, created_at)
SELECT o.id, format('site_%s_%s', o.id, lpad(n::text, 8, '0')), format('Site %s', n),
  timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second'
FROM organizations o, generate_series(1, $2) AS n WHERE o.id = ANY ($1::text[])`;
const CREATE_ORIGINS = `INSERT INTO site_origins (organization_id, site_id, origin, position)
SELECT s.organization_id, s.id, format('https://%s-%s.acme.example', prefix, substring(s.name FROM 6)), position
FROM sites s, unnest('{app,www}'::text[]) WITH ORDINALITY AS o (prefix, position)`;

/**
 * Creates a database for this run, with the schema of the management API and the rows of the scene; vacuumed and
 * analyzed, as a server does on its own after some minutes.
 * @param serverUrl a superuser's login
 */
export async function createBenchDatabase(serverUrl: string): Promise<BenchDatabase> {
  const name = `legate_bench_${process.pid}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = () => run(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  await run(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  try {
    await runMigrations({ connection: { connectionString: url.href }, directory: MIGRATIONS });
    await run(url.href, fill);
  } catch (err) {
    await drop();
    throw err;
  }
  const application = new URL(url);
  application.searchParams.set('options', `-c role=${APPLICATION_ROLE}`);
  return { ownerUrl: url.href, applicationUrl: application.href, drop };
}

async function fill(client: pg.Client): Promise<void> {
  // Skips foreign key checks for each row: the same rule generates both sides of each reference.
  await client.query('SET session_replication_role = replica');
  const create = async (organizationIds: readonly string[], sites: number): Promise<void> => {
    await client.query(CREATE_ORGANIZATIONS, [organizationIds, REQUESTS_PER_MINUTE]);
    await client.query(CREATE_SITES, [organizationIds, sites]);
  };
  for (const sites of [SITES, ...GROWTH]) await create([organizationOf(sites)], sites);
  const others = Array.from({ length: OTHERS.organizations }, (_, i) => `org_other_${i}`);
  await create(others, OTHERS.sitesEach);
  await client.query(CREATE_ORIGINS);
  await client.query('SELECT correct_resource_counts()'); // the triggers were skipped too
  await client.query('VACUUM ANALYZE');
}

async function run(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
