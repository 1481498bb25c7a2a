import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { startEmbeddedPostgres } from '../embedded.ts';
import { runMigrations } from '../migrations.ts';

/**
 * An embedded database with these migrations, which is made once and then kept in `node_modules/.cache`: to make one takes
 * seconds, and each test suite wants its own.
 * @param migrations absolute path of the directory
 */
export async function migratedSnapshot(migrations: string): Promise<Blob> {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const modules = engine.slice(0, engine.lastIndexOf(`${sep}node_modules${sep}`) + '/node_modules'.length);
  const directory = join(modules, '.cache', 'legate-test-database');
  const file = join(directory, `${await hashOf([engine, ...(await filesIn(migrations))])}.tar`);
  const kept = await readIfThere(file);
  if (kept) return new Blob([kept]);

  const snapshot = await makeSnapshot(migrations);
  await mkdir(directory, { recursive: true });
  // Suites run side by side: what another one reads must be whole.
  const unfinished = join(directory, randomUUID());
  await writeFile(unfinished, snapshot.stream());
  await rename(unfinished, file);
  return snapshot;
}

async function makeSnapshot(migrations: string): Promise<Blob> {
  const server = await startEmbeddedPostgres();
  try {
    await runMigrations({ connection: server.ownerConnection, directory: migrations });
    return await server.takeSnapshot();
  } finally {
    await server.close();
  }
}

const filesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).sort().map((name) => join(directory, name));

async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.split(sep).at(-1) ?? '').update(await readFile(file));
  return hash.digest('hex').slice(0, 32);
}

async function readIfThere(file: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await readFile(file);
  } catch (err) {
    // Not by instanceof: under Jest it comes from another realm.
    if (typeof err === 'object' && err !== null && 'code' in err && err.code === 'ENOENT') return undefined;
    throw err;
  }
}
