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
 * A second stack in one directory would write over the logs of the first before it finds out that it cannot have the
 * database. One process may have several stacks there, one after the other.
 * @param dataDir a directory that exists
 * @returns a function that gives it free
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
    process.kill(pid, 0); // signal 0 only asks
    return true;
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM';
  }
}
