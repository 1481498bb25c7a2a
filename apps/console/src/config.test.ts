import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigError } from '@legate/service';
import { loadConfig } from './config.ts';

const MINIMUM = {
  IDP_ISSUER: 'http://localhost:4002',
  IDP_CLIENT_ID: 'legate-console',
  IDP_CLIENT_SECRET: 'a-secret',
  MANAGEMENT_API_URL: 'http://localhost:4000',
  TOOL_HUB_URL: 'http://localhost:4001',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'console-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (err) {
    if (err instanceof ConfigError) return err.faults;
    throw err;
  }
  return [];
}

it('starts with an identity provider, a client, and the addresses of the two services', () => {
  expect(loadConfig(MINIMUM)).toMatchObject({
    PORT: 4004,
    PUBLIC_URL: 'http://localhost:4004',
    browserConfig: {},
  });
});

it('reports all faults at once, without the values', () => {
  const faults = faultsOf({ PUBLIC_URL: 'https://console.example/path', REDIS_URL: 'redis://localhost' });
  for (const name of ['PUBLIC_URL', 'IDP_ISSUER', 'IDP_CLIENT_SECRET', 'TOOL_HUB_URL', 'ENCRYPTION_KEYS'])
    expect(faults).toContainEqual(expect.stringContaining(`${name}:`));
  expect(faults.join()).not.toContain('console.example');
});

it('refuses development settings in production', () => {
  const faults = faultsOf({ ...MINIMUM, NODE_ENV: 'production', IDP_CLIENT_SECRET: 'console-dev-secret' });
  for (const name of ['PUBLIC_URL', 'REDIS_URL', 'TRUSTED_PROXIES', 'IDP_CLIENT_SECRET'])
    expect(faults).toContainEqual(expect.stringContaining(`${name}:`));
  expect(faultsOf({ ...MINIMUM, NODE_ENV: 'production', IDP_ISSUER: 'http://idp.example' })).toContainEqual(
    expect.stringContaining('IDP_ISSUER: must be https'),
  );
});

it('reads the file for browsers, and refuses an unknown member', () => {
  const path = join(folder, 'console.json');
  writeFileSync(path, JSON.stringify({ name: 'Acme tools', features: { domains: false } }));
  expect(loadConfig({ ...MINIMUM, CONFIG_FILE: path }).browserConfig).toEqual({
    name: 'Acme tools',
    features: { domains: false },
  });
  writeFileSync(path, JSON.stringify({ nmae: 'Acme tools' }));
  expect(faultsOf({ ...MINIMUM, CONFIG_FILE: path })).toContainEqual(expect.stringContaining('nmae'));
});

it('lets no setting replace a parameter that the console sends itself', () => {
  expect(loadConfig({ ...MINIMUM, AUTHORIZATION_PARAMETERS: 'audience=api' })).toMatchObject({
    AUTHORIZATION_PARAMETERS: 'audience=api',
  });
  expect(faultsOf({ ...MINIMUM, AUTHORIZATION_PARAMETERS: 'audience=api&redirect_uri=x' })).toHaveLength(1);
});
