import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findEngine, inContainers } from '../../bin/containers.js';

let directory: string;
let service: Server;
let urls: Record<string, string>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'legate-compose-'));
  service = createServer((req, res) => res.writeHead(req.url === '/readyz' ? 200 : 404).end());
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  urls = { 'tool-hub': `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
});
afterEach(async () => {
  service.close();
  await rm(directory, { recursive: true, force: true });
});

/** A program in place of compose that records its arguments. @param failing a command that exits with 1 */
async function fakeCompose(failing = 'none') {
  const program = join(directory, 'compose');
  const calls = join(directory, 'calls');
  const lines = [
    '#!/bin/sh',
    `echo "$*" >> ${calls}`,
    `case "$*" in *${failing}*) echo nobody answers >&2; echo help >&2; exit 1 ;; esac`,
  ];
  await writeFile(program, lines.join('\n'));
  await chmod(program, 0o755);
  return {
    engine: program,
    calls: async () => (await readFile(calls, 'utf8')).trim().split('\n'),
  };
}
const UP = '--project-name legate-e2e up --build --detach';
const DOWN = '--project-name legate-e2e down --volumes';

it('tests between up and down, and returns the exit code of the tests', async () => {
  const { engine, calls } = await fakeCompose();
  expect(await inContainers(engine, urls, () => 3)).toBe(3);
  expect(await calls()).toEqual([UP, DOWN]);
});

it('removes containers and volumes after a test that throws', async () => {
  const { engine, calls } = await fakeCompose();
  const broken = inContainers(engine, urls, () => {
    throw new Error('broken');
  });
  await expect(broken).rejects.toThrow('broken');
  expect(await calls()).toEqual([UP, DOWN]);
});

it('runs no tests if some containers do not start, and removes the started ones', async () => {
  const { engine, calls } = await fakeCompose('up');
  const tested = () => {
    throw new Error('was tested');
  };
  expect(await inContainers(engine, urls, tested)).toBe(1);
  expect(await calls()).toEqual([UP, DOWN]);
});

it('finds a compose command that has an engine', async () => {
  const { engine } = await fakeCompose();
  expect(findEngine(engine)).toEqual({ engine, faults: [] });
});

it('reports what a compose command without an engine has answered', async () => {
  const { engine } = await fakeCompose('ps');
  expect(findEngine(engine)).toEqual({
    faults: [`${engine} --project-name legate-e2e ps: exit code 1 nobody answers`],
  });
});

it('reports a compose command that does not exist', () => {
  expect(findEngine('/nonexistent')).toEqual({
    faults: ['/nonexistent --project-name legate-e2e ps: ENOENT'],
  });
});
