import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  ConfigError,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  parseEnvironment,
  serviceEnvironment,
} from '../index.ts';
import { configFaults } from '../testing/config-faults.ts';
import { browserOrigin } from './common.ts';
import { trustedProxies } from './trusted-proxies.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'legate-config-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const faultsOf = (schema: z.ZodObject, env: Record<string, string>) =>
  configFaults(() => parseEnvironment(schema, env));

describe('the environment', () => {
  const Env = z.object({ ...serviceEnvironment, ISSUER: identifierUrl, SECRET: z.string().min(20) });

  it.each([
    ['none', []],
    [' 10.0.0.0/8, ::1,loopback', ['10.0.0.0/8', '::1', 'loopback']],
  ])('reads TRUSTED_PROXIES=%s', (text, proxies) => {
    expect(trustedProxies.parse(text)).toEqual(proxies);
  });

  it.each(['none,10.0.0.0/8', 'proxy.example', '10.0.0.0/33', '0.0.0.0/0', '::/0', 'true'])(
    'refuses TRUSTED_PROXIES=%s',
    (text) => {
      expect(trustedProxies.safeParse(text).success).toBe(false);
    },
  );

  it('is complete with only the required settings', () => {
    expect(parseEnvironment(Env, { ISSUER: 'https://idp.example', SECRET: 's'.repeat(20) })).toMatchObject({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: [],
      OUTBOUND_ALLOW: [],
      CONNECT_TO: [],
      ISSUER: 'https://idp.example',
      SECRET: 's'.repeat(20),
    });
  });

  it('is refused with all its faults at once, and no value is shown', () => {
    const env = {
      NODE_ENV: 'prod-sensitive',
      METRICS_PORT: '70000',
      SHUTDOWN_DELAY_SECONDS: 'sensitive',
      OUTBOUND_ALLOW: 'loopback,10.0.0.0/40-sensitive',
      CONNECT_TO: 'sensitive',
      ISSUER: 'sensitive',
      SECRET: 'sensitive',
    };
    const faults = faultsOf(Env, env);
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'NODE_ENV',
      'METRICS_PORT',
      'SHUTDOWN_DELAY_SECONDS',
      'OUTBOUND_ALLOW',
      'CONNECT_TO',
      'ISSUER',
      'SECRET',
    ]);
    expect(new ConfigError(faults).message).not.toContain('sensitive');
  });

  it('reads a secret from a file, without its last line break', () => {
    const path = join(directory, 'secret');
    writeFileSync(path, 'from the file, long enough\n');
    const env = { ISSUER: 'https://idp.example', SECRET_FILE: path };
    expect(parseEnvironment(Env, env).SECRET).toBe('from the file, long enough');
  });

  it('refuses a secret that is set twice: one of the two would be ignored, perhaps the new one', () => {
    const path = join(directory, 'secret');
    writeFileSync(path, 'from the file, long enough\n');
    const env = { ISSUER: 'https://idp.example', SECRET_FILE: path, SECRET: 'from the variable itself' };
    expect(faultsOf(Env, env)).toEqual(['SECRET, SECRET_FILE: one of them, and not both']);
  });

  it('names a secret file that cannot be read or is empty', () => {
    const empty = join(directory, 'empty');
    writeFileSync(empty, '\n');
    const env = { ISSUER: 'https://idp.example' };
    expect(faultsOf(Env, { ...env, SECRET_FILE: join(directory, 'absent') })).toEqual([
      'SECRET_FILE: the file cannot be read',
    ]);
    expect(faultsOf(Env, { ...env, SECRET_FILE: empty })).toEqual(['SECRET_FILE: the file is empty']);
  });

  it('treats an empty variable as not set', () => {
    const env = { ISSUER: 'https://idp.example', SECRET: 's'.repeat(20), METRICS_PORT: '', LOG_LEVEL: '' };
    expect(parseEnvironment(Env, env)).toMatchObject({ LOG_LEVEL: 'info' });
  });
});

describe('an identifier', () => {
  it.each(['https://idp.example', 'http://localhost:4002', 'https://h/tenant/a@b', 'http://[::1]:80'])(
    '%s is kept as written',
    (url) => {
      expect(identifierUrl.parse(url)).toBe(url);
    },
  );

  it.each([
    'idp.example',
    'ftp://h',
    'https://h/',
    'https://h/a/',
    'https://h?q',
    'https://h#f',
    'https://u:p@h',
    'https://u@h',
    ' https://h',
    'https://h\n',
    'https://h/a b',
    'https://',
    'javascript://h',
  ])('%j is refused', (url) => {
    expect(identifierUrl.safeParse(url).success).toBe(false);
  });
});

it('accepts an issuer with or without a trailing slash, and keeps it unchanged', () => {
  for (const issuer of ['https://idp.example', 'https://tenant.idp.example/', 'https://h/realms/a/'])
    expect(issuerUrl.parse(issuer)).toBe(issuer);
  for (const other of ['https://h//', 'https://h?q', 'https://u@h/', '/', 'h/'])
    expect(issuerUrl.safeParse(other).success).toBe(false);
});

it('accepts an origin only as browsers send it', () => {
  for (const origin of ['https://app.example', 'http://localhost:5173', 'http://[::1]:81'])
    expect(browserOrigin.parse(origin)).toBe(origin);
  for (const other of [
    'https://app.example/',
    'https://APP.example',
    'https://a.example:443',
    '*',
    'null',
    'a.example',
  ])
    expect(browserOrigin.safeParse(other).success).toBe(false);
});

it('splits a list at commas, without blanks and empty items', () => {
  expect(commaSeparated.parse(' a, b,,c ')).toEqual(['a', 'b', 'c']);
  expect(commaSeparated.parse('')).toEqual([]);
});
