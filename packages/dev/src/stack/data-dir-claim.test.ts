import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { claimDataDir } from './data-dir-claim.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'legate-claim-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

it("refuses a directory that another process's stack uses, and explains the fix", async () => {
  await writeFile(join(dataDir, 'stack.pid'), '1');
  await expect(claimDataDir(dataDir)).rejects.toThrow(/process 1 .*LEGATE_DATA_DIR/);
});

it.each(['', 'x', '999999999'])('takes over a stale claim: %j', async (left) => {
  await writeFile(join(dataDir, 'stack.pid'), left);
  const giveFree = await claimDataDir(dataDir);
  await giveFree();
  expect(await readdir(dataDir)).toEqual([]);
});
