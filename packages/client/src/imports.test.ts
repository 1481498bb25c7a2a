import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const src = new URL('./', import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'),
);
const importsOf = (file: string): string[] =>
  [...readFileSync(new URL(file, src), 'utf8').matchAll(/\bfrom '([^']+)'|\bimport\(?'([^']+)'/g)].map(
    ([, from = '', imported = '']) => from || imported,
  );

it('imports no Node.js module, so that it runs wherever fetch exists', () => {
  expect(files.length).toBeGreaterThan(10);
  const ofNode = files.filter((file) => importsOf(file).some((name) => name.startsWith('node:')));
  expect(ofNode).toEqual([]);
});

it('has a core that imports only two packages, which do not import Node.js either', () => {
  const core = files.filter((file) => !file.includes('/'));
  const needed = core.flatMap(importsOf).filter((name) => !name.startsWith('.'));
  expect([...new Set(needed)].sort()).toEqual(['@legate/mcp-wire', '@legate/single-flight']);
});
