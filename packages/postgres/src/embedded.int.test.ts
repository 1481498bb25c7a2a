import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { needs } from '@legate/testing';
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

needs('night').it('is created outside this process, whose memory it would fill for good', async () => {
  const before = process.memoryUsage().external;
  await withApplication(async () => {
    expect(process.memoryUsage().external - before).toBeLessThan(250e6); // 600 MB if it is created in this process
  });
});

it('restricts its directory to its owner, even an existing one with wider permissions', async () => {
  await chmod(dataDir, 0o777);
  await withApplication(async () => expect((await stat(dataDir)).mode & 0o777).toBe(0o700));
});

it('keeps data and policies over a restart, and migrates once', async () => {
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

it('is created again if its creation was interrupted', async () => {
  const interrupted = await mkdtemp(join(tmpdir(), 'legate-embedded-'));
  await mkdir(join(interrupted, '.unfinished', 'base'), { recursive: true });
  await writeFile(join(interrupted, '.unfinished', 'PG_VERSION'), '');
  const server = await startEmbeddedPostgres({ dataDir: interrupted });
  await server.close();
  expect((await readdir(interrupted)).filter((name) => name.startsWith('.'))).toEqual([]);
  await rm(interrupted, { recursive: true });
});

it('is opened with all of its files if moving them into place was interrupted', async () => {
  await mkdir(join(dataDir, '.created'));
  for (const name of ['base', 'PG_VERSION'])
    await rename(join(dataDir, name), join(dataDir, '.created', name));
  expect(await withApplication((tenants) => tenants.queryAsTenant('org_a', ALL))).toEqual([{ body: 'kept' }]);
});
