import { readFile, rm, writeFile } from 'node:fs/promises';

/** Another stack uses this directory for its data and logs. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
  constructor(dataDir: string, pid: number) {
    super(
      `the stack of process ${pid} keeps its data and logs in ${dataDir}; stop it, or choose another directory with LEGATE_DATA_DIR`,
    );
  }
}

/**
 * Claims a data directory for this process. Otherwise a second stack in the same directory would overwrite the logs of
 * the first before it fails to open the database. One process may run several stacks there, one after the other.
 * @param dataDir a directory that exists
 * @returns a function that releases the directory
 * @throws {DataDirInUse}
 */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  const file = `${dataDir}/stack.pid`;
  const owner = await ownerOf(file);
  if (owner !== process.pid && isRunning(owner)) throw new DataDirInUse(dataDir, owner);
  await writeFile(file, String(process.pid));
  return async () => {
    if ((await ownerOf(file)) === process.pid) await rm(file, { force: true });
  };
}

const ownerOf = async (file: string): Promise<number> => Number(await readFile(file, 'utf8').catch(() => ''));

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0); // signal 0 only checks that the process exists
    return true;
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}
