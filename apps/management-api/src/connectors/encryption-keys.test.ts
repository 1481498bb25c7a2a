import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigError } from '@legate/service';
import { loadConnectorKeys } from './encryption-keys.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'legate-keys-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const KEY = Buffer.alloc(32, 1).toString('base64');

it('takes the configured keys, the first one to encrypt', () => {
  const text = `b:${KEY},a:${KEY}`;
  expect(loadConnectorKeys({ text, production: true, embeddedDir: undefined })?.activeId).toBe('b');
});

it.each([undefined, `a:${KEY.slice(4)}`])('refuses to start in production with the keys %s', (text) => {
  const load = () => loadConnectorKeys({ text, production: true, embeddedDir: undefined });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(expect.objectContaining({ message: expect.not.stringContaining(KEY.slice(4)) }));
});

it('has no keys for a database server that was given none', () => {
  expect(loadConnectorKeys({ text: undefined, production: false, embeddedDir: undefined })).toBeUndefined();
});

it('keeps keys next to the embedded database, the same at the next start, readable by its user only', () => {
  const options = { text: undefined, production: false, embeddedDir: join(directory, 'new', 'postgres/') };
  const made = loadConnectorKeys(options);
  expect(loadConnectorKeys(options)).toEqual(made);
  const file = join(directory, 'new', 'postgres.connector-keys');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^development:/);
});
