import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';

/** PostgreSQL takes a directory for a database if it has this file. */
const MARK = 'PG_VERSION';

/**
 * PostgreSQL would take 160 MB for pages, at once: here they are in files that the operating system keeps in memory.
 */
export const START_PARAMETERS: readonly string[] = [
  ...PGlite.defaultStartParams,
  ...['-c', 'shared_buffers=16MB'],
];

/**
 * Creates the files of a database where a directory has none. A process of its own does so, since it takes 400 MB that
 * it would not give back. Where it was interrupted before, nothing of a half-made database is left to be opened.
 * @param dataDir an existing directory, locked by the caller
 */
export async function createClusterIfNone(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, MARK))) return;
  const unfinished = join(dataDir, '.unfinished');
  const created = join(dataDir, '.created');
  if (!existsSync(created)) {
    await rm(unfinished, { recursive: true, force: true });
    await createInProcess(unfinished);
    await rename(unfinished, created);
  }
  const entries = (await readdir(created)).filter((name) => name !== MARK);
  for (const name of [...entries, MARK]) await rename(join(created, name), join(dataDir, name));
  await rmdir(created);
}

async function createInProcess(dataDir: string): Promise<void> {
  const program = `
    import { PGlite } from ${JSON.stringify(import.meta.resolve('@electric-sql/pglite'))};
    const db = await PGlite.create({ dataDir: process.argv[1] });
    await db.close();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, dataDir]);
}
