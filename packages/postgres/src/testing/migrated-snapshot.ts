import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { runMigrations } from '../migrations.ts';
import { serveDatabase } from '../served-database.ts';

/**
 * Returns an embedded database with these migrations, which is made once and then kept in `node_modules/.cache`: to make
 * one takes seconds, and each test process needs one.
 * @param migrations absolute path of the directory
 */
export async function migratedSnapshot(migrations: string): Promise<Blob> {
  const file = `${await cachePath(migrations)}.tar`;
  const kept = await readIfThere(file);
  if (kept) return new Blob([kept]);

  const snapshot = await makeSnapshot(migrations);
  // Suites run side by side: what another one reads must be whole.
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, snapshot.stream());
  await rename(unfinished, file);
  return snapshot;
}

/**
 * Creates a directory for `startEmbeddedPostgres()` with a migrated database, for a service that would otherwise take
 * seconds to create one at its first start.
 * @param options.migrations absolute path of the directory
 */
export async function seedDataDir(options: { migrations: string; dataDir: string }): Promise<void> {
  const directory = await cachePath(options.migrations);
  if (!existsSync(directory)) {
    const unfinished = `${directory}.${randomUUID()}`;
    const db = await PGlite.create({
      dataDir: unfinished,
      loadDataDir: await migratedSnapshot(options.migrations),
    });
    await db.close();
    // Another process may have been quicker.
    await rename(unfinished, directory).catch(() => rm(unfinished, { recursive: true }));
  }
  await cp(directory, options.dataDir, { recursive: true });
}

/** Path without suffix of the cached databases with these migrations; its directory exists. */
async function cachePath(migrations: string): Promise<string> {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const modules = engine.slice(0, engine.lastIndexOf(`${sep}node_modules${sep}`) + '/node_modules'.length);
  const directory = join(modules, '.cache', 'legate-test-database');
  await mkdir(directory, { recursive: true });
  return join(directory, await hashOf([engine, ...(await filesIn(migrations))]));
}

async function makeSnapshot(migrations: string): Promise<Blob> {
  const db = await PGlite.create();
  const server = await serveDatabase(db);
  try {
    await runMigrations({ connection: server.ownerConnection, directory: migrations });
  } finally {
    await server.close();
  }
  const snapshot = await db.dumpDataDir('none');
  await db.close();
  return snapshot;
}

export const filesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).sort().map((name) => join(directory, name));

export async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.split(sep).at(-1) ?? '').update(await readFile(file));
  return hash.digest('hex').slice(0, 32);
}

async function readIfThere(file: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await readFile(file);
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return undefined;
    throw err;
  }
}
