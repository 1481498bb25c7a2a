import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { runMigrations } from '../migrations.ts';
import { filesIn, hashOf } from './migrated-snapshot.ts';

/** A new database on a server, for one test suite */
export interface ServerDatabase {
  /** Login of the superuser */
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * @param serverUrl a superuser's login
 * @param migrations absolute path of a directory. The first suite that needs them creates a template, which stays on
 * the server. Copying it takes a tenth of the time of the migrations.
 */
export async function createServerDatabase(serverUrl: string, migrations?: string): Promise<ServerDatabase> {
  const name = `legate_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, async (client) => {
    const template = migrations === undefined ? 'template1' : await templateOf(client, serverUrl, migrations);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    url: urlOf(serverUrl, name),
    drop: () => onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** @returns the name of the template. If several processes need it at once, one creates it and the others wait. */
async function templateOf(client: pg.Client, serverUrl: string, migrations: string): Promise<string> {
  const name = `legate_template_${await hashOf(await filesIn(migrations))}`;
  const unfinished = `${name}_unfinished`;
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) {
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${unfinished}`);
    const connection = { connectionString: urlOf(serverUrl, unfinished) };
    await runMigrations({ connection, directory: migrations });
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  }
  await client.query('SELECT pg_advisory_unlock(hashtext($1))', [name]);
  return name;
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
