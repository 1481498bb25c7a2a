import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from './embedded.ts';
import { createPool, createTenantDatabase, runMigrations } from './index.ts';

const migrations = fileURLToPath(new URL('./testing/migrations', import.meta.url));
const ALL = { name: 'all_notes', text: 'SELECT body FROM notes' };

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'legate-embedded-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

async function withApplication<Result>(
  use: (tenants: ReturnType<typeof createTenantDatabase>) => Promise<Result>,
): Promise<Result> {
  const server = await startEmbeddedPostgres({ dataDir });
  await runMigrations({ connection: server.ownerConnection, directory: migrations });
  const pool = createPool({
    connection: server.connectionAs('legate_notes_app'),
    applicationName: 'test',
    onError: () => undefined,
  });
  try {
    return await use(createTenantDatabase(pool, { role: 'legate_notes_app' }));
  } finally {
    await pool.end();
    await server.close();
  }
}

it('restricts its directory to its owner, even an existing one with wider permissions', async () => {
  await chmod(dataDir, 0o777);
  await withApplication(async () => expect((await stat(dataDir)).mode & 0o777).toBe(0o700));
});

it('keeps data over a restart, under the same policies, and migrates once', async () => {
  await withApplication((tenants) =>
    tenants.queryAsTenant('org_a', {
      name: 'insert',
      text: "INSERT INTO notes VALUES ('org_a', 'kept')",
    }),
  );
  const found = await withApplication(async (tenants) => [
    await tenants.queryAsTenant('org_a', ALL),
    await tenants.queryAsTenant('org_b', ALL),
  ]);
  expect(found).toEqual([[{ body: 'kept' }], []]);
});
