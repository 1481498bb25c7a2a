import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const PREPACK = fileURLToPath(new URL('../../../scripts/prepack.mjs', import.meta.url));
const MANIFEST = {
  name: '@legate/sample',
  version: '0.2.0',
  exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
  dependencies: { '@legate/jwt': '0.2.0', zod: '^4.0.0' },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-prepack-'));
  writeFileSync(join(folder, 'index.js'), '');
  writeFileSync(join(folder, 'index.d.ts'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

function prepack({ manifest = {}, readme = '# Sample\n\n```ts\nsample();\n```\n' }) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...MANIFEST, ...manifest }));
  writeFileSync(join(folder, 'README.md'), readme);
  return spawnSync(process.execPath, [PREPACK], { cwd: folder, encoding: 'utf8' });
}

it('copies the licence to a package without faults', () => {
  const { status, stderr } = prepack({});
  expect([status, stderr, existsSync(join(folder, 'LICENSE'))]).toEqual([0, '', true]);
});

it.each([
  ['a private package', { manifest: { private: true } }, 'is private'],
  [
    'any version of a dependency',
    { manifest: { dependencies: { zod: '*' } } },
    'dependencies: zod needs a version, not *',
  ],
  [
    'any version of a peer',
    { manifest: { peerDependencies: { hono: '*' } } },
    'peerDependencies: hono needs a version, not *',
  ],
  [
    'another version of a package that is published with it',
    { manifest: { dependencies: { '@legate/jwt': '0.1.0' } } },
    '@legate/jwt is 0.1.0, and packages are published together as 0.2.0',
  ],
  ['a README without an example', { readme: '# Sample\n\nCall it.\n' }, 'README.md has no example'],
  [
    'an entry point that is not built',
    { manifest: { exports: { './more': { default: './dist/more.js' } } } },
    './dist/more.js is missing: npm run build',
  ],
])('refuses %s', (_case, sample, fault) => {
  const { status, stderr } = prepack(sample);
  expect([status, stderr]).toEqual([1, expect.stringContaining(fault)]);
  expect(existsSync(join(folder, 'LICENSE'))).toBe(false);
});
