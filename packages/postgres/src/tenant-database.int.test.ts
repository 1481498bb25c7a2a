import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import {
  createPool,
  createTenantDatabase,
  DatabaseUnavailable,
  type Pool,
  type TenantConnection,
  type TenantDatabase,
} from './index.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

const ROLE = 'legate_notes_app';
const migrations = fileURLToPath(new URL('./testing/migrations', import.meta.url));

let database: TestDatabase;
let tenants: TenantDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrations, role: ROLE });
  tenants = createTenantDatabase(database.pool, { role: ROLE });
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.asOwner(async (owner) => {
    await owner.query('DELETE FROM notes');
    await owner.query("INSERT INTO notes VALUES ('org_a', 'of a'), ('org_b', 'of b')");
  });
});

const ALL = { name: 'all_notes', text: 'SELECT organization_id, body FROM notes ORDER BY body' };
const SLOW = { name: 'slow', text: 'SELECT count(*) FROM generate_series(1, 300000)' };
const insert = (organizationId: string, body: string) => ({
  name: 'insert_note',
  text: 'INSERT INTO notes (organization_id, body) VALUES ($1, $2)',
  values: [organizationId, body],
});

/** Closes the connection abruptly, like a crashing server or a network failure. */
function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: Socket } };
  connection.stream.destroy();
}

/** Stops reading from the connection, so that no further response arrives. */
function deafen(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: Socket } };
  connection.stream.pause();
}

/** Returns the settings that the next user of each pooled connection would find. */
async function leftBehind(pool: Pool) {
  const clients = await Promise.all(
    Array.from({ length: Math.max(1, pool.totalCount) }, () => pool.connect()),
  );
  const states = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query(
        "SELECT current_setting('app.organization_id', true) AS tenant, count(*)::int AS visible FROM notes",
      );
      return {
        tenant: rows[0].tenant || null,
        visible: rows[0].visible,
        status: client.getTransactionStatus(),
      };
    }),
  );
  for (const client of clients) client.release();
  return states;
}
const CLEAN = { tenant: null, visible: 0, status: 'I' };

it('returns only the rows of its tenant for a statement without WHERE', async () => {
  expect(await tenants.queryAsTenant('org_a', ALL)).toEqual([{ organization_id: 'org_a', body: 'of a' }]);
  expect(await tenants.queryAsTenant('org_b', ALL)).toEqual([{ organization_id: 'org_b', body: 'of b' }]);
  expect(await tenants.withTenant('org_b', (connection) => connection.query(ALL))).toHaveLength(1);
});

it('returns no rows to a tenant without rows, and none outside a tenant transaction', async () => {
  expect(await tenants.queryAsTenant('org_c', ALL)).toEqual([]);
  expect((await database.pool.query('SELECT * FROM notes')).rows).toEqual([]);
});

it('sends a statement and the transaction around it in one write', async () => {
  await tenants.queryAsTenant('org_a', ALL);
  const client = await database.pool.connect();
  const { stream } = client.connection;
  const one = jest.spyOn(stream, '_write');
  const several = jest.spyOn(stream as Required<typeof stream>, '_writev');
  client.release(); // the pool hands out the most recently released connection first
  try {
    expect(await tenants.queryAsTenant('org_a', ALL)).toHaveLength(1);
    expect([one.mock.calls.length, several.mock.calls.length]).toEqual([0, 1]);
  } finally {
    one.mockRestore();
    several.mockRestore();
  }
});

it('refuses to write a row of another tenant', async () => {
  await expect(tenants.queryAsTenant('org_a', insert('org_b', 'forged'))).rejects.toMatchObject({
    code: '42501',
  });
  const forged = tenants.withTenant('org_a', (connection) => connection.query(insert('org_b', 'forged')));
  await expect(forged).rejects.toMatchObject({ code: '42501' });
});

it.each(["o'; RESET ROLE; --", "\\'; COMMIT; --", '$1', '"'])(
  'treats %j as an id, not as SQL',
  async (id) => {
    const WHO = {
      name: 'who',
      text: "SELECT current_user AS role, current_setting('app.organization_id') AS id",
    };
    expect(await tenants.queryAsTenant(id, WHO)).toEqual([{ role: ROLE, id }]);
    expect(await tenants.withTenant(id, (connection) => connection.query(WHO))).toEqual([{ role: ROLE, id }]);
  },
);

it('sends nothing for an id with a NUL, which would end the message', async () => {
  const lost = insert('org_a', 'outside of a transaction');
  await expect(tenants.queryAsTenant('org_a\0', lost)).rejects.toThrow(TypeError);
  await expect(tenants.withTenant('org_a\0', (c) => c.query(lost))).rejects.toThrow(TypeError);
  expect(await tenants.queryAsTenant('org_a', ALL)).toHaveLength(1);
});

it('applies the policies of the role even to a superuser login', async () => {
  await database.asOwner(async (owner) => {
    const { rows } = await owner.query('SELECT count(*)::int AS notes, current_user::text AS me FROM notes');
    expect(rows[0].notes).toBe(2); // no policy binds this login by itself
    await owner.query(
      "SELECT set_config('role', $1, true), set_config('app.organization_id', 'org_a', true)",
      [ROLE],
    );
    expect((await owner.query('SELECT body FROM notes')).rows).toEqual([{ body: 'of a' }]);
  });
});

it.each([
  ['the statement fails', { name: 'division', text: 'SELECT 1 / $1::int', values: [0] }, '22012'],
  ['the statement cannot be parsed', { name: 'nonsense', text: 'SELEKT 1' }, '42601'],
  ['only the commit fails', insert('org_a', 'of a'), '23505'],
])('saves nothing and leaves no tenant behind when %s', async (_case, statement, code) => {
  await expect(tenants.queryAsTenant('org_a', statement)).rejects.toMatchObject({ code });
  const inTransaction = tenants.withTenant('org_a', async (connection) => {
    await connection.query(insert('org_a', 'first of two'));
    await connection.query(statement);
  });
  await expect(inTransaction).rejects.toMatchObject({ code });
  expect(await tenants.queryAsTenant('org_a', ALL)).toEqual([{ organization_id: 'org_a', body: 'of a' }]);
  expect(await leftBehind(database.pool)).toContainEqual(CLEAN);
  expect(await leftBehind(database.pool)).not.toContainEqual(expect.not.objectContaining(CLEAN));
});

it('does not run the statement if the role cannot be set, on a new connection and on a used one', async () => {
  const powerless = createTenantDatabase(database.pool, { role: 'legate_no_such_role' });
  for (let i = 0; i < 2; i += 1) {
    await expect(powerless.queryAsTenant('org_a', insert('org_a', 'without a role'))).rejects.toThrow(
      'legate_no_such_role',
    );
    expect(await tenants.queryAsTenant('org_a', ALL)).toEqual([{ organization_id: 'org_a', body: 'of a' }]);
  }
  expect(await leftBehind(database.pool)).not.toContainEqual(expect.not.objectContaining(CLEAN));
});

it("rethrows the caller's own error, and keeps working", async () => {
  const wrongName = { name: 'all_notes', text: 'SELECT 2' };
  await tenants.queryAsTenant('org_a', ALL);
  await expect(tenants.queryAsTenant('org_a', wrongName)).rejects.toThrow();
  const circular: unknown[] = [];
  circular.push({ circular });
  await expect(
    tenants.queryAsTenant('org_a', { name: 'circular', text: 'SELECT $1::jsonb', values: [{ circular }] }),
  ).rejects.toThrow();
  expect(await tenants.queryAsTenant('org_a', ALL)).toHaveLength(1);
  expect(await leftBehind(database.pool)).not.toContainEqual(expect.not.objectContaining(CLEAN));
});

it('rolls back when the work throws, and when it catches the error of a statement', async () => {
  const thrown = tenants.withTenant('org_a', async (connection) => {
    await connection.query(insert('org_a', 'lost'));
    throw new Error('of the work');
  });
  await expect(thrown).rejects.toThrow('of the work');
  const hidden = tenants.withTenant('org_a', async (connection) => {
    await connection.query(insert('org_a', 'lost too'));
    await connection.query({ text: 'SELECT 1 / 0' }).catch(() => undefined);
  });
  await expect(hidden).rejects.toThrow('rolled back');
  expect(await tenants.queryAsTenant('org_a', ALL)).toHaveLength(1);
});

it('ends a connection with its transaction, even if the caller has kept it', async () => {
  const kept = await tenants.withTenant('org_a', async (connection) => connection);
  await expect(kept.query(ALL)).rejects.toThrow('has ended');
});

it('separates many concurrent tenants, even while some of them fail', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const own = i % 2 ? 'org_a' : 'org_b';
      if (i % 5 === 0) {
        const bad = { name: 'division', text: 'SELECT 1 / $1::int', values: [0] };
        return tenants.queryAsTenant(own, bad).then(
          () => 'no error',
          () => own,
        );
      }
      const rows = await tenants.queryAsTenant<{ organization_id: string }>(own, ALL);
      return rows.length === 1 ? rows[0]?.organization_id : `${rows.length} rows`;
    }),
  );
  expect(outcomes).toEqual(Array.from({ length: 60 }, (_, i) => (i % 2 ? 'org_a' : 'org_b')));
  expect(await leftBehind(database.pool)).not.toContainEqual(expect.not.objectContaining(CLEAN));
});

it('uses no more connections than the pool has, and releases all of them', async () => {
  await Promise.all(Array.from({ length: 40 }, () => tenants.queryAsTenant('org_a', ALL)));
  const { totalCount, idleCount, waitingCount } = database.pool;
  expect(idleCount).toBe(totalCount);
  expect(waitingCount).toBe(0);
});

it('survives a connection that breaks while in use, and connects again', async () => {
  database.pool.once('acquire', (client) => {
    setImmediate(cut, client); // after the statements were sent
  });
  await expect(tenants.queryAsTenant('org_a', SLOW)).rejects.toThrow(DatabaseUnavailable);
  let borrowed: pg.PoolClient | undefined;
  database.pool.once('acquire', (client) => {
    borrowed = client;
  });
  const broken = tenants.withTenant('org_a', async (connection) => {
    await connection.query(insert('org_a', 'lost'));
    if (borrowed) cut(borrowed);
    await connection.query(ALL);
  });
  await expect(broken).rejects.toThrow(DatabaseUnavailable);
  expect(await tenants.queryAsTenant('org_a', ALL)).toEqual([{ organization_id: 'org_a', body: 'of a' }]);
});

it('waits only once for a server that does not respond, and does not reuse the connection', async () => {
  const impatient = createPool({
    connection: database.connection,
    applicationName: 'test',
    onError: () => undefined,
    statementTimeoutMs: 100,
  });
  const hanging = createTenantDatabase(impatient, { role: ROLE });
  const lent: pg.PoolClient[] = [];
  impatient.on('acquire', (client) => {
    jest.spyOn(client, 'query');
    lent.push(client);
  });
  const work = (connection: TenantConnection) => {
    lent.forEach(deafen);
    return connection.query(ALL);
  };
  await expect(hanging.withTenant('org_a', work)).rejects.toThrow(DatabaseUnavailable);
  expect(lent[0]?.query).toHaveBeenCalledTimes(2); // BEGIN with the tenant, the statement, and no ROLLBACK to wait for
  expect(await hanging.queryAsTenant('org_a', ALL)).toHaveLength(1);
  expect(lent).toHaveLength(2);
  expect(lent[1]).not.toBe(lent[0]);
  await impatient.end();
});

it('reports a database that cannot be reached as an outage', async () => {
  const nowhere = createPool({
    connection: { connectionString: 'postgres://postgres@127.0.0.1:1/postgres' },
    applicationName: 'test',
    onError: () => undefined,
  });
  const down = createTenantDatabase(nowhere, { role: ROLE });
  await expect(down.queryAsTenant('org_a', ALL)).rejects.toThrow(DatabaseUnavailable);
  await expect(down.withTenant('org_a', async () => 1)).rejects.toThrow(DatabaseUnavailable);
  await expect(down.ping()).rejects.toThrow(DatabaseUnavailable);
  await nowhere.end();
});

it('resolves a ping as the role', async () => {
  await expect(tenants.ping()).resolves.toBeUndefined();
});

it('reports a lost connection outside the request that opened it', async () => {
  const requests = new AsyncLocalStorage<string>();
  let report: (within: string | undefined) => void;
  const reported = new Promise<string | undefined>((resolve) => {
    report = resolve;
  });
  const pool = createPool({
    connection: database.connection,
    applicationName: 'test',
    onError: () => report(requests.getStore()),
  });
  const { rows } = await requests.run('a request', () => pool.query('SELECT pg_backend_pid() AS pid'));
  await database.asOwner((owner) => owner.query('SELECT pg_terminate_backend($1)', [rows[0].pid]));
  expect(await reported).toBeUndefined();
  await pool.end();
});
