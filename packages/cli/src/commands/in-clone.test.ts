import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runTyped } from '../testing/run-typed.ts';
import { findClone } from './in-clone.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'legate-cli-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function makeClone(name: string): string {
  mkdirSync(join(folder, 'packages/dev/bin'), { recursive: true });
  mkdirSync(join(folder, 'apps/tool-hub'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name }));
  writeFileSync(join(folder, 'packages/dev/bin/run.js'), '');
  return join(folder, 'apps/tool-hub');
}

it.each(['start', 'demo'])(
  'runs %s of the clone in whose folder it is typed, with its exit code',
  async (command) => {
    const ran: unknown[] = [];
    const inside = makeClone('legate');
    const runNode = async (path: string, args: readonly string[]) => {
      ran.push([path, args]);
      return 7;
    };
    expect((await runTyped([command], { io: { clone: () => findClone(inside), runNode } })).code).toBe(7);
    expect(ran).toEqual([[join(folder, 'packages/dev/bin/run.js'), [command]]]);
  },
);

it('does not take another project for a clone', () => {
  expect(findClone(makeClone('other'))).toBeUndefined();
});

it('explains outside a clone what the command needs', async () => {
  expect(await runTyped(['start'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs a clone of the Legate repository'),
  });
});
