import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const SOURCE = new URL('./', import.meta.url);

/** Everything that an entry point imports at run time: our files, and the names of modules. */
function importsOf(entry: string) {
  const modules = new Set<string>();
  const files = new Set<string>();
  const open = [new URL(entry, SOURCE)];
  for (let file = open.pop(); file; file = open.pop()) {
    if (files.has(file.href)) continue;
    files.add(file.href);
    const text = readFileSync(fileURLToPath(file), 'utf8');
    for (const [, what = '', from = ''] of text.matchAll(/^(?:import|export)\s([^;]*?)from '([^']+)';/gms)) {
      if (what.startsWith('type ')) continue;
      if (from.startsWith('.')) open.push(new URL(from, file));
      else modules.add(from);
    }
  }
  return [...modules].sort();
}

const ON_NODE = ['@legate/bounded-body', '@legate/bounded-body/node', '@legate/oauth'];

it('the core imports its four dependencies, and no module of Node.js or of a framework', () => {
  expect(importsOf('index.ts')).toEqual(['@legate/bounded-body', '@legate/jwt', '@legate/oauth', 'zod']);
});

it('openid-client is only in ./services', () => {
  expect(importsOf('services.ts')).toEqual([
    '@legate/bounded-body',
    '@legate/jwt',
    '@legate/oauth',
    'openid-client',
    'zod',
  ]);
});

it('the Express adapter loads no Express: it works with the version of the application', () => {
  expect(importsOf('adapters/express.ts')).toEqual(ON_NODE);
});

it.each(['fastify', 'hono', 'node'] as const)('the adapter for %s loads its framework neither', (name) => {
  const expected = {
    fastify: ON_NODE,
    hono: ['@legate/bounded-body', '@legate/oauth'],
    node: [...ON_NODE, 'node:http'],
  }[name];
  expect(importsOf(`adapters/${name}.ts`)).toEqual(expected);
});
