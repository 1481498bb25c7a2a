import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { describeSettings } from '@legate/service';
import { configFaults, namesAtFault } from '@legate/service/testing';
import { Environment, loadConfig, loadDatabaseConfig } from './config.ts';
import { databaseAddressOf } from './storage/settings.ts';

const DEVELOPMENT = fileURLToPath(new URL('../../../infra/development/organizations.json', import.meta.url));
const KEYS = `k:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`;
const SAFE = {
  NODE_ENV: 'production',
  RESOURCE: 'https://api.example',
  IDP_ISSUER: 'https://idp.example',
  DATABASE_URL: 'postgres://api:a-password@postgres.example/legate',
  CONNECTOR_ENCRYPTION_KEYS: KEYS,
  REDIS_URL: 'rediss://redis.example',
  TRUSTED_PROXIES: 'none',
};
const ONBOARDING = {
  IDP_CLIENT_ID: 'management-api',
  IDP_CLIENT_SECRET: 'kX3-0qLr8vTz5mWb7nYc',
  IDP_ADMIN_URL: 'https://idp.example/admin',
  IDP_ADMIN_API_KEY: 'Zq9-4tPw2xRs6yUd1fGh',
  ENCRYPTION_KEYS: KEYS,
};

const faultsOf = (env: NodeJS.ProcessEnv, load: (env: NodeJS.ProcessEnv) => unknown = loadConfig) =>
  configFaults(() => load(env));

it('describes every setting', () => {
  expect(describeSettings(Environment)).toHaveLength(Object.keys(Environment.shape).length);
});

it('needs no setting in development', () => {
  expect(loadConfig({})).toMatchObject({
    PORT: 4000,
    seed: undefined,
    onboarding: undefined,
    hub: undefined,
  });
});

it('allows new members to read everything and change nothing', () => {
  expect(loadConfig({}).DEFAULT_MEMBER_ROLE).toBe('viewer');
});

it('parses its settings', () => {
  const config = loadConfig({ ...ONBOARDING, SEED_FILE: DEVELOPMENT, TOOL_HUB_URL: 'https://hub.example' });
  expect(config.seed?.organizations).toHaveLength(2);
  expect(config.onboarding?.clientId).toBe('management-api');
  expect(config.hub?.url).toBe('https://hub.example');
});

it('reports all faults at once: of settings, of files, of their combination, and of production', () => {
  const faults = faultsOf({
    NODE_ENV: 'production',
    PORT: 'x',
    SEED_FILE: DEVELOPMENT,
    TOOL_HUB_URL: 'https://hub.example',
    TRANSACTION_TOKEN_ISSUER: 'https://hub.example',
    IDP_CLIENT_ID: 'management-api',
    IDP_ADMIN_URL: 'https://idp.example/admin',
    REDIS_URL: 'http://redis',
    OUTBOUND_ALLOW: 'loopback',
  });
  expect(namesAtFault(faults)).toEqual(
    [
      DEVELOPMENT,
      'CONNECTOR_ENCRYPTION_KEYS',
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'IDP_ADMIN_API_KEY',
      'IDP_CLIENT_SECRET',
      'IDP_ISSUER',
      'OUTBOUND_ALLOW',
      'PORT',
      'REDIS_URL',
      'RESOURCE',
      'TRUSTED_PROXIES',
      'WORKLOADS',
      'IDP_CLIENT_ID, IDP_CLIENT_SECRET',
    ].sort(),
  );
});

it('requires keys for the connectors of its seed if the database is not embedded', () => {
  const env = { SEED_FILE: DEVELOPMENT, DATABASE_URL: SAFE.DATABASE_URL };
  expect(faultsOf(env)).toEqual(['CONNECTOR_ENCRYPTION_KEYS: required for the connectors of SEED_FILE']);
  expect(faultsOf({ SEED_FILE: DEVELOPMENT })).toEqual([]);
});

describe('in production', () => {
  it('starts with safe settings', () => {
    expect(faultsOf({ ...SAFE, ...ONBOARDING, MIGRATION_DATABASE_URL: SAFE.DATABASE_URL })).toEqual([]);
  });

  it.each([
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'file:///var/lib/legate'],
    ['DATABASE_URL', 'postgres://legate:legate-dev-password@postgres/legate'],
    ['MIGRATION_DATABASE_URL', 'postgres://legate_owner:legate-owner-dev-password@postgres/legate'],
    ['REDIS_URL', ''],
    ['CONNECTOR_ENCRYPTION_KEYS', ''],
    ['CONNECTOR_ENCRYPTION_KEYS', 'dev:bGVnYXRlLWRldmVsb3BtZW50LWVuY3J5cHRpb24ta2U='],
    ['ENCRYPTION_KEYS', 'dev:bGVnYXRlLWRldmVsb3BtZW50LWVuY3J5cHRpb24ta2U='],
    ['RESOURCE', ''],
    ['TRUSTED_PROXIES', ''],
    ['RESOURCE', 'http://api.example'],
    ['IDP_ISSUER', ''],
    ['IDP_ISSUER', 'http://idp.example'],
    ['IDP_ADMIN_URL', 'http://idp.example/admin'],
    ['IDP_CLIENT_SECRET', 'management-api-dev-secret'],
    ['IDP_ADMIN_API_KEY', 'mock-idp-dev-admin-key'],
    ['IDP_ADMIN_API_KEY', 'too-short'],
    ['PUBLIC_URL', 'http://api.example'],
    ['TRANSACTION_TOKEN_ISSUER', 'http://hub.example'],
    ['CONNECT_TO', 'a:1=b:2'],
    ['OUTBOUND_ALLOW', '127.0.0.0/8'],
  ])('refuses %s=%s, and names the setting', (name, value) => {
    const env = { ...SAFE, ...ONBOARDING, WORKLOADS: 'tool-hub=internal:transactions', [name]: value };
    expect(faultsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${name}: .*production`))]);
  });
});

it('refuses a workload scope that none of its paths requires', () => {
  expect(faultsOf({ ...SAFE, WORKLOADS: 'tool-hub=internal:connector' })).toEqual([
    'WORKLOADS: may grant only the scopes internal:connectors, internal:audit-events, internal:transactions',
  ]);
});

describe('a job on the database', () => {
  const faultsOfJob = (env: NodeJS.ProcessEnv, login: 'owner' | 'application') =>
    namesAtFault(faultsOf({ NODE_ENV: 'production', ...env }, (all) => loadDatabaseConfig(all, { login })));

  it('has no other required setting, even in production', () => {
    expect(faultsOfJob({ DATABASE_URL: SAFE.DATABASE_URL }, 'application')).toEqual([]);
    expect(faultsOfJob({ MIGRATION_DATABASE_URL: SAFE.DATABASE_URL }, 'owner')).toEqual([]);
  });

  it('uses the embedded database in a directory', () => {
    const addressOf = (env: NodeJS.ProcessEnv) =>
      databaseAddressOf(loadDatabaseConfig(env, { login: 'owner' }));
    expect(addressOf({})).toMatchObject({ url: undefined, dataDir: '.legate/postgres' });
    expect(addressOf({ DATABASE_URL: 'file:///var/lib/a%20b' })).toMatchObject({
      url: undefined,
      dataDir: '/var/lib/a b',
    });
    expect(addressOf({ DATABASE_URL: SAFE.DATABASE_URL })).toMatchObject({ url: SAFE.DATABASE_URL });
  });

  it('refuses the embedded database and development passwords in production', () => {
    expect(faultsOfJob({}, 'owner')).toEqual(['MIGRATION_DATABASE_URL']);
    expect(faultsOfJob({ DATABASE_URL: 'file:///x' }, 'owner')).toEqual(['DATABASE_URL']);
    // It does not log in as the owner, which would open the embedded database.
    expect(faultsOfJob({ MIGRATION_DATABASE_URL: SAFE.DATABASE_URL }, 'application')).toEqual([
      'DATABASE_URL',
    ]);
    expect(faultsOfJob({ DATABASE_URL: 'postgres://a:b-dev-password@p/d' }, 'owner')).toEqual([
      'DATABASE_URL',
    ]);
  });
});
