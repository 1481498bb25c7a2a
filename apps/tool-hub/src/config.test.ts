import { expect, it } from '@jest/globals';
import { ConfigError } from '@legate/service';
import { loadConfig } from './config.ts';

const ENV = {
  IDP_ISSUER: 'https://idp.example/',
  IDP_CLIENT_ID: 'tool-hub',
  IDP_CLIENT_SECRET: 'a-secret-value',
  CONNECTORS_FILE: '/config/connectors.json',
};

it('keeps the issuer as it is written, and accepts only own ID tokens unless told otherwise', () => {
  const config = loadConfig(ENV);
  expect([config.IDP_ISSUER, config.PORT, config.ACCEPTED_AUDIENCES]).toEqual([
    'https://idp.example/',
    4001,
    undefined,
  ]);
  expect(loadConfig({ ...ENV, ACCEPTED_AUDIENCES: 'a, b' }).ACCEPTED_AUDIENCES).toEqual(['a', 'b']);
});

it('takes connectors from the management API in the place of a file', () => {
  const config = loadConfig({ ...ENV, CONNECTORS_FILE: '', MANAGEMENT_API_URL: 'https://api.example' });
  expect([config.MANAGEMENT_API_URL, config.WORKLOADS.size, config.REQUIRE_AGENT]).toEqual([
    'https://api.example',
    0,
    false,
  ]);
});

it.each<[string, NodeJS.ProcessEnv, string]>([
  [
    'Redis without encryption keys',
    { REDIS_URL: 'redis://localhost' },
    'ENCRYPTION_KEYS: required with REDIS_URL',
  ],
  ['encryption keys of the wrong length', { ENCRYPTION_KEYS: 'a:a-secret-value' }, 'ENCRYPTION_KEYS: '],
  ['no client secret', { IDP_CLIENT_SECRET: '' }, 'IDP_CLIENT_SECRET'],
  ['an issuer with a query', { IDP_ISSUER: 'https://idp.example?a' }, 'IDP_ISSUER'],
  ['no accepted audience', { ACCEPTED_AUDIENCES: ',' }, 'ACCEPTED_AUDIENCES'],
  [
    'two sources of connectors',
    { MANAGEMENT_API_URL: 'https://api.example' },
    'CONNECTORS_FILE, MANAGEMENT_API_URL',
  ],
  ['no source of connectors', { CONNECTORS_FILE: '' }, 'CONNECTORS_FILE, MANAGEMENT_API_URL'],
  ['workloads without scopes', { WORKLOADS: 'management-api' }, 'WORKLOADS'],
])('refuses %s, and shows no value', (_case, change, fault) => {
  const load = () => loadConfig({ ...ENV, ...change });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(fault);
  expect(load).not.toThrow('a-secret-value');
});
