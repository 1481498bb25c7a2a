import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';

/** PostgreSQL recognises a database directory by this file. */
const MARK = 'PG_VERSION';

/**
 * Start parameters with a small page cache. PostgreSQL would allocate 160 MB for pages at start; less is enough,
 * because the pages are in files that the operating system caches.
 */
export const START_PARAMETERS: readonly string[] = [
  ...PGlite.defaultStartParams,
  ...['-c', 'shared_buffers=16MB'],
];

/**
 * Leave WebAssembly as V8's baseline compiler makes it: optimized code would take another 100 MB and half of the CPU of
 * a start, and statements would be no faster.
 */
export const WASM_FLAGS: readonly string[] = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/**
 * Creates the files of a database if a directory has none. This runs in a separate process, because it uses 400 MB that
 * would not be released. If it is interrupted, the incomplete database is never opened.
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
  await promisify(execFile)(process.execPath, [
    ...WASM_FLAGS,
    '--input-type=module',
    '--eval',
    program,
    dataDir,
  ]);
}
