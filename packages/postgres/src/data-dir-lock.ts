import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another process has the data directory open. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
  constructor(dataDir: string, pid: number) {
    super(`the data directory ${dataDir} is in use by process ${pid}; stop it, or choose another directory`);
  }
}

/**
 * Keeps a data directory to one process: PGlite itself lets a second one in, and both then write over each other. A lock
 * whose process is gone counts for nothing.
 * @returns a function that gives the directory free
 * @throws {DataDirInUse}
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'legate.pid');
  const lock = () => writeFile(file, String(process.pid), { flag: 'wx' });
  try {
    await lock();
  } catch (err) {
    if (codeOf(err) !== 'EEXIST') throw err;
    const owner = Number(await readFile(file, 'utf8').catch(() => ''));
    if (owner !== process.pid && isRunning(owner)) throw new DataDirInUse(dataDir, owner);
    await rm(file, { force: true });
    await lock();
  }
  return () => rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0); // signal 0 only asks
    return true;
  } catch (err) {
    return codeOf(err) === 'EPERM';
  }
}

const codeOf = (err: unknown): unknown =>
  typeof err === 'object' && err !== null && 'code' in err ? err.code : undefined;
