import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { runMigrations } from '../migrations.ts';
import { serveDatabase } from '../served-database.ts';

/**
 * Returns a snapshot of an embedded database with these migrations. It is created once and then kept in
 * `node_modules/.cache`, because creating one takes seconds and each test process needs one.
 * @param migrations absolute path of the directory
 */
export async function migratedSnapshot(migrations: string): Promise<Blob> {
  return keptAt(`${await cachePath(await filesIn(migrations))}.tar`, () => makeSnapshot(migrations));
}

/**
 * Creates a directory for `startEmbeddedPostgres()` with a migrated database, for a service that would otherwise take
 * seconds to create one at its first start.
 * @param options.migrations absolute path of the directory
 */
export async function seedDataDir(options: { migrations: string; dataDir: string }): Promise<void> {
  const directory = await cachePath(await filesIn(options.migrations));
  if (!existsSync(directory)) {
    const unfinished = `${directory}.${randomUUID()}`;
    const db = await PGlite.create({
      dataDir: unfinished,
      loadDataDir: await migratedSnapshot(options.migrations),
    });
    await db.close();
    // Another process may have created it first.
    await rename(unfinished, directory).catch(() => rm(unfinished, { recursive: true }));
  }
  await cp(directory, options.dataDir, { recursive: true });
}

/** Returns the path, without suffix, of the cached databases that these files define. Its directory exists. */
async function cachePath(files: readonly string[]): Promise<string> {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const modules = engine.slice(0, engine.lastIndexOf(`${sep}node_modules${sep}`) + '/node_modules'.length);
  const directory = join(modules, '.cache', 'legate-test-database');
  await mkdir(directory, { recursive: true });
  return join(directory, await hashOf([engine, ...files]));
}

async function makeSnapshot(migrations: string): Promise<Blob> {
  // Creating a database takes PostgreSQL longer than all of its migrations.
  const empty = await keptAt(`${await cachePath([])}.tar`, async () => dump(await PGlite.create()));
  const db = await PGlite.create({ loadDataDir: empty });
  const server = await serveDatabase(db);
  try {
    await runMigrations({ connection: server.ownerConnection, directory: migrations });
  } finally {
    await server.close();
  }
  return dump(db);
}

async function dump(db: PGlite): Promise<Blob> {
  const snapshot = await db.dumpDataDir('none');
  await db.close();
  return snapshot;
}

/** Returns the content of a file. If it does not exist, calls `make` and saves the result there. */
async function keptAt(file: string, make: () => Promise<Blob>): Promise<Blob> {
  const kept = await readIfThere(file);
  if (kept) return new Blob([kept]);
  const made = await make();
  // Suites run in parallel, and must not read an incomplete file.
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, made.stream());
  await rename(unfinished, file);
  return made;
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
