import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { runMigrations } from '@legate/postgres';
import { needs } from '@legate/testing';
import { Client } from 'pg';
import { openPostgres } from './postgres-process.ts';

/** The embedded database has a single session, so transactions that overlap need a server. */
const { describe, it, path } = needs('PostgreSQL');

describe('the counts of resources under concurrent transactions of an organization', () => {
  let database: Awaited<ReturnType<typeof openPostgres>>;
  let owner: Client;
  let organization: string;
  let organizations = 0;
  let sessions: Client[] = [];
  beforeAll(async () => {
    database = await openPostgres(path.PostgreSQL);
    await database.start();
    const directory = join(ROOT, 'apps', 'management-api', 'migrations');
    await runMigrations({ connection: { connectionString: database.url }, directory });
    owner = new Client({ connectionString: database.url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await database?.remove();
  });
  beforeEach(async () => {
    organization = `org_${++organizations}`;
    await owner.query('INSERT INTO organizations (id, name) VALUES ($1::text, $1::text)', [organization]);
  });
  afterEach(async () => {
    await Promise.all(sessions.map((session) => session.end()));
    sessions = [];
  });

  /** Opens a session of the application, in which waiting for an open transaction is an error. */
  async function openSession(): Promise<Client> {
    const session = new Client({ connectionString: database.url });
    sessions.push(session);
    await session.connect();
    await session.query(
      `SET ROLE mgmt_app; SET app.organization_id = '${organization}'; SET lock_timeout = '5s'`,
    );
    return session;
  }
  let sites = 0;
  async function create(session: Client): Promise<string> {
    const id = `site_${++sites}`;
    const insert = "INSERT INTO sites (organization_id, id, name) VALUES ($1, $2, 'Site')";
    await session.query(insert, [organization, id]);
    return id;
  }
  /** Reads the sum of the counts and the number of rows, as of one time. */
  async function read(session: Client): Promise<{ total: number; rows: number; parts: number }> {
    const { rows } =
      await session.query(`SELECT coalesce(sum(present), 0)::int AS total, count(*)::int AS parts,
      (SELECT count(*)::int FROM sites WHERE deleted_at IS NULL) AS rows
      FROM resource_counts WHERE resource = 'sites'`);
    return rows[0];
  }

  it('does not let a writer wait for another one, and counts each when it commits', async () => {
    const [first, second, reader] = [await openSession(), await openSession(), await openSession()];
    await create(reader);
    await first.query('BEGIN');
    await second.query('BEGIN');
    await create(first);
    await create(second);
    await create(second);
    expect(await read(first)).toMatchObject({ total: 2, rows: 2 });
    expect(await read(reader)).toMatchObject({ total: 1, rows: 1 });
    await second.query('COMMIT');
    expect(await read(reader)).toMatchObject({ total: 3, rows: 3 });
    await first.query('ROLLBACK');
    expect(await read(reader)).toMatchObject({ total: 3, rows: 3 });
  });

  it('has no more parts than changes that overlapped', async () => {
    const [first, second] = [await openSession(), await openSession()];
    for (let i = 0; i < 5; i++) {
      await first.query('BEGIN');
      await create(first);
      await create(second);
      await first.query('COMMIT');
    }
    expect(await read(first)).toEqual({ total: 10, rows: 10, parts: 2 });
  });

  it('equals the number of rows in every snapshot', async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, openSession));
    const reader = await openSession();
    const work = async (session: Client, ends: readonly string[]) => {
      for (const end of ends) {
        await session.query('BEGIN');
        const id = await create(session);
        await create(session);
        await session.query('UPDATE sites SET deleted_at = now() WHERE id = $1', [id]);
        if (end === 'purge') await session.query('DELETE FROM sites WHERE id = $1', [id]);
        await session.query(end === 'ROLLBACK' ? 'ROLLBACK' : 'COMMIT');
      }
    };
    const ends = Array.from({ length: 8 }, () => ['COMMIT', 'ROLLBACK', 'purge']).flat();
    let isDone = false;
    const writing = Promise.all(writers.map((writer) => work(writer, ends))).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const { total, rows } = await read(reader);
      expect(total).toBe(rows);
    }
    await writing;
    const left = 6 * 8 * 2;
    expect(await read(reader)).toMatchObject({ total: left, rows: left });
  });

  it('is corrected while a transaction is open, whose rows are counted once', async () => {
    const writer = await openSession();
    await owner.query('SET session_replication_role = replica');
    await create(owner);
    await owner.query('SET session_replication_role = origin');
    await writer.query('BEGIN');
    await create(writer);
    await owner.query('SELECT correct_resource_counts()');
    expect(await read(await openSession())).toMatchObject({ total: 1, rows: 1 });
    await writer.query('COMMIT');
    expect(await read(writer)).toMatchObject({ total: 2, rows: 2 });
  });
});
