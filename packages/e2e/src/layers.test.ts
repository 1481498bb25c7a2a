import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { needs } from '@legate/testing';

// Each test runs the whole check, which takes time.
const { it } = needs('time');
const CHECK = fileURLToPath(new URL('../../../scripts/layers/check.mjs', import.meta.url));
const LAYERS = { 'apps/shop': { words: 'what is sold', orders: 'what was bought', '*.ts': 'the process' } };
const TREE = {
  'layers.mjs': layersFile(LAYERS),
  'ARCHITECTURE.md': '<!-- `npm run layers` writes this from layers.mjs -->\n<!-- end of layers.mjs -->\n',
  'apps/shop/src/words/price.ts': 'export type Price = number;',
  'apps/shop/src/words/name.ts': 'export const name = 1;',
  'apps/shop/src/orders/order.ts':
    "import type { Price } from '../words/price.ts'; export const paid: Price = 1;",
  'apps/shop/src/orders/order.test.ts': "import '../main.ts'; import './testing/sample.ts';",
  'apps/shop/src/orders/testing/sample.ts': "import '../../main.ts';",
  'apps/shop/src/main.ts': "import { paid } from './orders/order.ts'; export const sum = paid;",
  'apps/bank/src/main.ts': 'export const account = 1;',
  'packages/money/package.json': '{ "exports": { ".": { "@legate/source": "./src/index.ts" } } }',
  'packages/money/src/index.ts': "export * from './coin.ts';",
  'packages/money/src/coin.ts': 'export const coin = 1;',
};
const ORDER = 'apps/shop/src/orders/order.ts';
const PRICE = 'apps/shop/src/words/price.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'layers-')));
  write(TREE);
});
afterEach(() => rmSync(root, { recursive: true }));

it('accepts imports of folders that are listed earlier, and any import in a test', () => {
  expect(check('--write', '--components')).toEqual({
    status: 0,
    stdout: 'apps/shop: 3 folders, largest component 1\n',
    stderr: '',
  });
});

it.each([
  ['an import', "import { paid } from '../orders/order.ts'; export const a = paid;"],
  ['a type import', "import type { paid } from '../orders/order.ts'; export type A = typeof paid;"],
  ['an inline type import', "import { type paid } from '../orders/order.ts'; export type A = typeof paid;"],
  ['a re-export', "export { paid } from '../orders/order.ts';"],
  ['a re-export of a type', "export type * from '../orders/order.ts';"],
  ['an import at run time', "export const a = await import('../orders/order.ts');"],
])('refuses %s of a folder that is listed later', (_form, code) => {
  write({ 'apps/shop/src/words/name.ts': code });
  expect(check('--write')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(
      `apps/shop/src/words/name.ts imports ${ORDER}: layers.mjs lists that folder later\n`,
    ),
  });
});

it.each([
  [
    'an import of another app',
    ORDER,
    "import '../../../bank/src/main.ts';",
    'imports apps/bank/src/main.ts: apps meet over HTTP',
  ],
  [
    'an import of an app by a package',
    'packages/money/src/coin.ts',
    "import '../../../apps/bank/src/main.ts';",
    'imports apps/bank/src/main.ts: apps meet over HTTP',
  ],
  [
    'an import past the entry points of a package',
    ORDER,
    "import '../../../../packages/money/src/coin.ts';",
    'imports packages/money/src/coin.ts: a package is imported through the entry points',
  ],
  [
    'an import of a test helper by what is no test',
    ORDER,
    "import './testing/sample.ts';",
    'imports apps/shop/src/orders/testing/sample.ts: helpers of tests are imported by tests alone',
  ],
  ['an import of what does not exist', ORDER, "import '@legate/none';", 'what is imported exists'],
  [
    'files that import one another',
    PRICE,
    "import './name.ts';",
    'files do not import one another in a circle',
  ],
])('refuses %s', (_case, file, code, fault) => {
  write({ 'apps/shop/src/words/name.ts': "import './price.ts';", [file]: code });
  const { status, stderr } = check('--write');
  expect([status, stderr]).toEqual([1, expect.stringContaining(fault)]);
});

it('refuses Express behind the entry point of a package that runs without it', () => {
  write({
    'node_modules/express/index.js': '',
    'packages/mcp-client/package.json': '{}',
    'packages/mcp-client/src/index.ts': "import './routes.ts';",
    'packages/mcp-client/src/routes.ts': "import 'express';",
  });
  const { status, stderr } = check('--write');
  expect([status, stderr]).toEqual([1, expect.stringContaining('it runs without Express')]);
});

it('names the folders that import one another in a circle', () => {
  write({ [PRICE]: "import '../orders/order.ts';" });
  const { status, stdout } = check('--write', '--components');
  expect([status, stdout]).toEqual([1, 'apps/shop: 3 folders, largest component 2 (orders, words)\n']);
});

it('refuses a folder that is not listed, and a listed folder that does not exist', () => {
  write({ 'layers.mjs': layersFile({ 'apps/shop': { words: '', returns: '', '*.ts': '' } }) });
  const { status, stderr } = check('--write');
  expect([status, stderr]).toEqual([
    1,
    'layers.mjs does not list orders of apps/shop\nlayers.mjs lists returns of apps/shop, which holds no source\n',
  ]);
});

it('refuses a picture in ARCHITECTURE.md that differs from layers.mjs', () => {
  const { status, stderr } = check();
  expect([status, stderr]).toEqual([
    1,
    'ARCHITECTURE.md shows other layers than layers.mjs: npm run layers\n',
  ]);
});

function check(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, '--root', root, ...options], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { status, stdout, stderr };
}

function write(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function layersFile(layers: Record<string, Record<string, string>>) {
  return `export const LAYERS = ${JSON.stringify(layers)};\n`;
}
