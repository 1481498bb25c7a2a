import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';

/**
 * Checks that bodies are read within limits everywhere: a new endpoint must read its body with `@legate/bounded-body`.
 */

const SOURCES = ['apps', 'packages']
  .flatMap((folder) => readdirSync(`${ROOT}${folder}`).map((name) => `${folder}/${name}/src`))
  .flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.ts$/.test(file))
  .filter(
    (file) => !/\.test\.ts$|\/testing\/|^packages\/(?:bounded-body|bench|dev|e2e|mutation)\//.test(file),
  );

/** Patterns of lines that read a request body without it */
const faultsIn = (source: string): string[] => [
  ...(source.match(/(?<!inOnePiece\(\s*[\w.]+,\s*)express\s*\.(?:json|text|raw|urlencoded)\(/g) ?? []),
  ...(source.match(/\breq(?:uest)?\.(?:on|once|addListener)\(\s*'(?:data|readable)'/g) ?? []),
  ...(source.match(/for await \(const \w+ of req(?:uest)?\b/g) ?? []),
];

it.each([
  "router.post('/x', express.json({ limit: 1 }))",
  'inOnePiece(1000), express.urlencoded({ extended: false })',
  "req.on('data', (chunk) => chunks.push(chunk))",
  'for await (const chunk of req) chunks.push(chunk)',
])('finds %s', (source) => {
  expect(faultsIn(source)).toHaveLength(1);
});

it('finds nothing in the services', () => {
  const found = SOURCES.flatMap((file) =>
    faultsIn(readFileSync(`${ROOT}${file}`, 'utf8')).map((fault) => `${file}: ${fault}`),
  );
  // A stream that is read on demand, with its own limits
  expect(found).toEqual(["packages/tool-server/src/adapters/node-http.ts: req.on('data'"]);
  expect(SOURCES.length).toBeGreaterThan(500);
});
