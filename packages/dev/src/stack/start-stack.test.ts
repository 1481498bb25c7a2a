import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Interrupted } from '../terminal/interruption.ts';
import { startStack } from './start-stack.ts';

it('starts nothing after an interruption, and releases the data directory', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'legate-stack-'));
  const start = startStack({
    ports: { 'management-api': 1, 'tool-hub': 2, 'mock-idp': 3, 'reference-mcp-server': 4, console: 5 },
    databaseUrl: undefined,
    redisUrl: undefined,
    encryptionKeys: undefined,
    dataDir,
    logLevel: 'info',
    signal: AbortSignal.abort(new Interrupted(130)),
  });
  await expect(start).rejects.toEqual(new Interrupted(130));
  expect(await readdir(join(dataDir, 'logs'))).toEqual([]);
  expect(await readdir(dataDir)).toEqual(['logs']);
  await rm(dataDir, { recursive: true });
});
