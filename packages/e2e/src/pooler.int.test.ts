import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import { Client } from 'pg';
import { type ApiUnderTest, startApiUnderTest } from './api-under-test.ts';
import { type Pooler, startPooler } from './pooler.ts';
import { createPostgresServer, type PostgresProcess } from './postgres-process.ts';

/**
 * Tests management-api behind PgBouncer in transaction mode: a server connection serves transactions of different
 * organizations in turn, so neither a tenant nor a prepared statement may remain on it.
 */
const { describe, it, path } = needs('night', 'PostgreSQL', 'PgBouncer');

const ORGANIZATIONS = ['org_a', 'org_b', 'org_c'] as const;
/** Fewer connections than the service's own pool has, so they are always shared */
const CONNECTIONS = 2;
const LOGIN = 'management_api';

describe('management-api through a pooler in transaction mode', () => {
  let postgres: PostgresProcess;
  let pooler: Pooler;
  let api: ApiUnderTest;
  beforeAll(async () => {
    postgres = await createPostgresServer(path.PostgreSQL);
    await postgres.start();
    await asOwner(`CREATE ROLE mgmt_app NOLOGIN; CREATE ROLE ${LOGIN} LOGIN IN ROLE mgmt_app`);
    const url = new URL(postgres.url);
    url.username = LOGIN;
    pooler = await startPooler({ program: path.PgBouncer, url: url.href, connections: CONNECTIONS });
    api = await startApiUnderTest({
      databaseUrl: pooler.url,
      redisUrl: 'redis://127.0.0.1:1', // rate limits are counted in the process
      organizations: ORGANIZATIONS,
      env: { MIGRATION_DATABASE_URL: postgres.url },
    });
  });
  afterAll(async () => {
    await api?.stop();
    await pooler?.stop();
    await postgres?.remove();
  });

  async function asOwner(statement: string): Promise<unknown[]> {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async function request(organization: string, method: string, target: string, body?: object) {
    const res = await fetch(`${api.url}/api/v1${target}`, {
      method,
      headers: {
        Authorization: `Bearer ${await api.token(organization)}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: res.status, body: (await res.json()) as { data?: { name: string }[] } };
  }

  it('writes and reads for several organizations at once, and none sees the rows of another', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const created = await Promise.all(
      numbers.flatMap((number) =>
        ORGANIZATIONS.map((organization) =>
          request(organization, 'POST', '/sites', { name: `${organization} ${number}` }),
        ),
      ),
    );
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));

    const lists = await Promise.all(
      numbers.flatMap(() =>
        ORGANIZATIONS.map(async (organization) => ({
          organization,
          ...(await request(organization, 'GET', '/sites?limit=100')),
        })),
      ),
    );
    for (const { organization, status, body } of lists) {
      expect(status).toBe(200);
      expect(body.data).toHaveLength(numbers.length);
      expect(body.data?.filter(({ name }) => !name.startsWith(`${organization} `))).toEqual([]);
    }
  });

  it('uses no more connections of the server than the pooler opens', async () => {
    const used = await asOwner(`SELECT pid FROM pg_stat_activity WHERE usename = '${LOGIN}'`);
    expect(used).toHaveLength(CONNECTIONS);
  });

  it('leaves no organization on a connection', async () => {
    const client = new Client({ connectionString: pooler.url });
    await client.connect();
    const asLeft =
      "SELECT current_user AS role, current_setting('app.organization_id', true) AS organization";
    const { rows } = await client.query(asLeft).finally(() => client.end());
    expect(rows).toEqual([{ role: LOGIN, organization: '' }]);
  });
});
