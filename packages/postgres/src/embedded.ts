import { chmod, mkdir } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { lockDataDir } from './data-dir-lock.ts';
import { createClusterIfNone, START_PARAMETERS, WASM_FLAGS } from './embedded-cluster.ts';
import { type ServedDatabase, serveDatabase } from './served-database.ts';

export type EmbeddedPostgres = ServedDatabase;

/** The mode that PostgreSQL requires for its data directory: no access for other users. */
const OWNER_ONLY = 0o700;

/**
 * Runs PostgreSQL inside this process (PGlite) behind a local socket, so that all other code is the same as with a
 * server. For development and tests: one statement at a time, no password, and `statement_timeout` has no effect.
 * @param options.dataDir directory for the data; without it, the data are lost when the process ends
 * @throws {DataDirInUse} if another process uses the directory
 * @see docs/adr/0012-embedded-stores.md
 */
export async function startEmbeddedPostgres(
  options: { dataDir?: string | undefined } = {},
): Promise<EmbeddedPostgres> {
  const { dataDir } = options;
  if (dataDir !== undefined) {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY });
    await chmod(dataDir, OWNER_ONLY); // even if the directory already existed
  }
  const unlock = dataDir === undefined ? undefined : await lockDataDir(dataDir);
  if (dataDir !== undefined) await createClusterIfNone(dataDir);
  for (const flag of WASM_FLAGS) setFlagsFromString(flag);
  const db = await PGlite.create({
    ...(dataDir !== undefined && { dataDir }),
    startParams: [...START_PARAMETERS],
  });
  const served = await serveDatabase(db);
  return {
    ...served,
    async close() {
      await served.close();
      await db.close();
      await unlock?.();
    },
  };
}
