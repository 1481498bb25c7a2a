import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigError } from '@legate/service';
import { loadConnectorKeys } from './encryption-keys.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'legate-keys-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const KEY = Buffer.alloc(32, 1).toString('base64');
const server = { DATABASE_URL: 'postgres://postgres.example/legate' };

it('returns the configured keys, and encrypts with the first one', () => {
  const settings = {
    ...server,
    NODE_ENV: 'production',
    CONNECTOR_ENCRYPTION_KEYS: `b:${KEY},a:${KEY}`,
  };
  expect(loadConnectorKeys(settings)?.activeId).toBe('b');
});

it.each([undefined, `a:${KEY.slice(4)}`])('does not start in production with the keys %s', (text) => {
  const settings = { ...server, NODE_ENV: 'production', CONNECTOR_ENCRYPTION_KEYS: text };
  const load = () => loadConnectorKeys(settings);
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(expect.objectContaining({ message: expect.not.stringContaining(KEY.slice(4)) }));
});

it('returns no keys for a database server if none are configured', () => {
  expect(loadConnectorKeys({ ...server, NODE_ENV: 'development' })).toBeUndefined();
});

it('stores keys next to the embedded database, uses them again at the next start, and makes them readable by its user only', () => {
  const options = {
    NODE_ENV: 'development',
    DATABASE_URL: pathToFileURL(join(directory, 'new', 'postgres/')).href,
  };
  const made = loadConnectorKeys(options);
  expect(loadConnectorKeys(options)).toEqual(made);
  const file = join(directory, 'new', 'postgres.connector-keys');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^development:/);
});
