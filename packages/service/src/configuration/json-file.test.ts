import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readJsonFile } from '../index.ts';

let path: string;
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'legate-json-'));
  path = join(directory, 'clients.json');
});
afterAll(() => rmSync(directory, { recursive: true }));

const Clients = z.strictObject({ clients: z.array(z.strictObject({ id: z.string(), url: z.url() })) });
const read = (document: unknown, env: Record<string, string> = {}) => {
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document));
  return readJsonFile(path, Clients, env);
};

it('replaces variables with their values, or with their defaults if they are unset or empty', () => {
  const document = { clients: [{ id: `\${A}-\${B:-b}-\${C:-}`, url: `\${URL:-http://localhost:4003}/x` }] };
  expect(read(document, { A: 'a', B: '' }).clients).toEqual([{ id: 'a-b-', url: 'http://localhost:4003/x' }]);
  expect(read(document, { A: 'a', C: 'c', URL: 'https://h' }).clients).toEqual([
    { id: 'a-b-c', url: 'https://h/x' },
  ]);
});

it('does not replace variables in a value that it inserted', () => {
  expect(read({ clients: [{ id: `\${A}`, url: 'https://h' }] }, { A: `\${B}` }).clients[0]?.id).toBe(`\${B}`);
});

it('reports every fault with its place, and shows no value', () => {
  const document = {
    clients: [
      { id: `\${MISSING}`, url: 'sensitive' },
      { id: 7, url: 'https://h', extra: 1 },
    ],
  };
  expect(() => read(document)).toThrow(
    expect.objectContaining({
      name: 'ConfigError',
      faults: [
        expect.stringContaining(`\${MISSING} is not set`),
        expect.stringContaining('clients.0.url'),
        expect.stringContaining('clients.1.id'),
        expect.stringContaining('clients.1'),
      ],
      message: expect.not.stringContaining('sensitive'),
    }),
  );
});

it('reports a missing or invalid JSON file without its content', () => {
  expect(() => read('{"secret": sensitive}')).toThrow(/is not JSON$/);
  expect(() => readJsonFile(join(directory, 'absent.json'), Clients, {})).toThrow(
    /absent\.json: cannot be read$/,
  );
});
