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

it('refuses a directory that another running process has', async () => {
  await writeFile(join(dataDir, 'legate.pid'), String(process.ppid));
  await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse);
});

it('takes over from a process that is gone, and from a lock that was never finished', async () => {
  for (const stale of ['4194305', '', 'x']) {
    await writeFile(join(dataDir, 'legate.pid'), stale);
    await lockDataDir(dataDir);
    expect(await readFile(join(dataDir, 'legate.pid'), 'utf8')).toBe(String(process.pid));
  }
});

it('leaves a stale lock to a process that is taking it over', async () => {
  await writeFile(join(dataDir, 'legate.pid'), '4194305');
  await writeFile(join(dataDir, 'legate.pid.after-4194305'), String(process.ppid));
  await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse);
  expect(await readFile(join(dataDir, 'legate.pid'), 'utf8')).toBe('4194305');
});

it('takes over from a process that died while taking over, and leaves nothing but its lock', async () => {
  await writeFile(join(dataDir, 'legate.pid'), '4194305');
  await writeFile(join(dataDir, 'legate.pid.after-4194305'), '4194306');
  await lockDataDir(dataDir);
  expect(await readdir(dataDir)).toEqual(['legate.pid']);
});

it('gives the directory free again', async () => {
  const unlock = await lockDataDir(dataDir);
  await unlock();
  await expect(readFile(join(dataDir, 'legate.pid'))).rejects.toThrow('ENOENT');
});
