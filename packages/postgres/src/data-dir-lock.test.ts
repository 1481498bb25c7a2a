import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'legate-lock-'));
});

afterEach(() => rm(dataDir, { recursive: true }));

it('refuses a directory that another running process has locked', async () => {
  await writeFile(join(dataDir, 'legate.pid'), String(process.ppid));
  await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse);
});

it('replaces the lock of a dead process, and an incomplete lock', async () => {
  for (const stale of ['4194305', '', 'x']) {
    await writeFile(join(dataDir, 'legate.pid'), stale);
    await lockDataDir(dataDir);
    expect(await readFile(join(dataDir, 'legate.pid'), 'utf8')).toBe(String(process.pid));
  }
});

it('does not replace a stale lock that another process is replacing', async () => {
  await writeFile(join(dataDir, 'legate.pid'), '4194305');
  await writeFile(join(dataDir, 'legate.pid.after-4194305'), String(process.ppid));
  await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse);
  expect(await readFile(join(dataDir, 'legate.pid'), 'utf8')).toBe('4194305');
});

it('replaces a stale lock if another process died while replacing it, and leaves no other files', async () => {
  await writeFile(join(dataDir, 'legate.pid'), '4194305');
  await writeFile(join(dataDir, 'legate.pid.after-4194305'), '4194306');
  await lockDataDir(dataDir);
  expect(await readdir(dataDir)).toEqual(['legate.pid']);
});

it('removes the lock when the directory is released', async () => {
  const unlock = await lockDataDir(dataDir);
  await unlock();
  await expect(readFile(join(dataDir, 'legate.pid'))).rejects.toThrow('ENOENT');
});
