import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The error for a data directory that another process uses. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
  constructor(dataDir: string, pid: number) {
    super(`the data directory ${dataDir} is in use by process ${pid}; stop it, or choose another directory`);
  }
}

/**
 * Reserves a data directory for one process: PGlite itself would let two processes overwrite each other's data. The
 * lock of a dead process is ignored.
 * @returns a function that releases the directory
 * @throws {DataDirInUse}
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'legate.pid');
  const own = `${file}.${process.pid}`;
  // Written first and then renamed, so that an existing lock always names its owner.
  await writeFile(own, String(process.pid));
  try {
    const owner = await ownerOf(file);
    if (owner === undefined) await link(own, file);
    else if (owner !== process.pid && isRunning(owner)) throw new DataDirInUse(dataDir, owner);
    else await succeed(file, own, owner);
  } catch (err) {
    // If several processes try at once, one wins.
    if (codeOf(err) === 'EEXIST') throw new DataDirInUse(dataDir, (await ownerOf(file)) || 0);
    throw err;
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(file, { force: true });
}

/**
 * Replaces a stale lock with ours. Each lock has one successor: otherwise, of several processes that find it stale, one
 * could remove the new lock of another.
 */
async function succeed(file: string, own: string, owner: number): Promise<void> {
  const succession = `${file}.after-${owner}`;
  const other = await ownerOf(succession);
  if (other !== undefined && !isRunning(other)) await rm(succession, { force: true }); // that process died before it finished
  await link(own, succession);
  try {
    if (!Object.is(await ownerOf(file), owner))
      throw Object.assign(new Error('somebody was first'), { code: 'EEXIST' });
    await rename(own, file);
  } finally {
    await rm(succession, { force: true });
  }
}

/** @returns undefined if there is no lock, and NaN or 0 for an incomplete one */
async function ownerOf(file: string): Promise<number | undefined> {
  try {
    return Number(await readFile(file, 'utf8'));
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return undefined;
    throw err;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0); // signal 0 only checks that the process exists
    return true;
  } catch (err) {
    return codeOf(err) === 'EPERM';
  }
}

const codeOf = (err: unknown): unknown =>
  typeof err === 'object' && err !== null && 'code' in err ? err.code : undefined;
