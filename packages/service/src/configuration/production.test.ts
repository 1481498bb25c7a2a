import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  commaSeparated,
  identifierUrl,
  isDevelopmentSecret,
  readEnvironment,
  serviceEnvironment,
} from '../index.ts';
import { configFaults, namesAtFault } from '../testing/config-faults.ts';

const description = 'What it is.';
const Env = z.object({
  ...serviceEnvironment,
  PUBLIC_URL: identifierUrl.default('http://localhost:1').meta({ description }),
  ISSUERS: commaSeparated.optional().meta({ description }),
  STORE_URL: z.string().optional().meta({ description, secret: true }),
  API_KEY: z.string().optional().meta({ description, secret: true }),
  KEYS: z.string().optional().meta({ description, secret: true }),
});
const SAFE = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://a.example',
  STORE_URL: 'redis://r.example',
  TRUSTED_PROXIES: '10.1.0.0/16',
};

const faultsOf = (env: Record<string, string>): readonly string[] => {
  const reading = readEnvironment(Env, env);
  reading.refuseInProduction({
    required: { STORE_URL: 'replicas would differ' },
    publicUrls: ['PUBLIC_URL', 'ISSUERS'],
  });
  return configFaults(reading.complete);
};
const keys = (bytes: Buffer) =>
  `k1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')},k2:${bytes.toString('base64')}`;

it('accepts safe settings', () => {
  const env = {
    ...SAFE,
    API_KEY: 'f3Q0b7nV1xZk-29sLtYw,/=',
    KEYS: keys(Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7))),
    STORE_URL: 'rediss://user:pw@r1.example:6379,rediss://r2.example',
    OUTBOUND_ALLOW: '10.0.0.0/8',
    ISSUERS: 'https://a.example,https://b.example=https://keys.example/jwks',
  };
  expect(faultsOf(env)).toEqual([]);
});

it.each([
  'redis://redis',
  'redis://redis-dev:6379,redis://cache-dev:6379',
  'redis://user:with,commas-and-so-on@redis.example',
])('checks only the password of a URL: %s', (url) => {
  expect(faultsOf({ ...SAFE, STORE_URL: url })).toEqual([]);
});

it('does not check settings in development', () => {
  expect(faultsOf({ CONNECT_TO: 'a:1=b:2', API_KEY: 'a-dev-key', OUTBOUND_ALLOW: 'loopback' })).toEqual([]);
});

describe('refuses in production, naming the variable and not its value,', () => {
  it.each<[string, string, string]>([
    ['a development secret', 'API_KEY', 'needle-dev-secret-of-somebody'],
    ['a secret that is to be replaced', 'API_KEY', 'please-change-me-needle'],
    ['a short secret', 'API_KEY', 'needle-too-shrt'],
    ['a long secret of few letters', 'API_KEY', 'needle'.repeat(9).replaceAll(/[^e]/g, 'n')],
    ['a development key', 'KEYS', 'k:bGVnYXRlLWRldmVsb3BtZW50LWVuY3J5cHRpb24ta2U='],
    [
      'a signing key named for development',
      'KEYS',
      '{"keys":[{"kty":"EC","d":"needle","kid":"development"}]}',
    ],
    ['a key named for development', 'KEYS', `dev:${Buffer.alloc(32, 'needle').toString('base64')}`],
    ['a key of zeros behind a good one', 'KEYS', keys(Buffer.alloc(32))],
    ['the development password of a store', 'STORE_URL', 'postgres://legate:legate-dev-password@needle/x'],
    ['one of several such passwords', 'STORE_URL', 'redis://:good@a,redis://:needle-dev-password@b'],
    ['proxies that nobody named', 'TRUSTED_PROXIES', ''],
    ['plain http', 'PUBLIC_URL', 'http://needle.example'],
    ['plain http inside a list', 'ISSUERS', 'https://a.example,http://needle.example'],
    ['plain http for keys', 'ISSUERS', 'https://a.example=http://needle.example/jwks'],
    ['loopback as a peer', 'OUTBOUND_ALLOW', '10.0.0.0/8,loopback'],
    ['a block that holds the metadata address of clouds', 'OUTBOUND_ALLOW', '169.254.0.0/16'],
    ['everything as a peer', 'OUTBOUND_ALLOW', '::/0'],
    ['a single address of this machine', 'OUTBOUND_ALLOW', '10.0.0.0/8,127.0.0.2/32'],
    ['the address that means this machine', 'OUTBOUND_ALLOW', '0.0.0.0/32'],
    ['the address of credentials of containers', 'OUTBOUND_ALLOW', '169.254.170.2/32'],
    ['a link-local IPv6 address', 'OUTBOUND_ALLOW', 'fe80::1/128'],
    ['another place to connect to', 'CONNECT_TO', 'needle.example:1=b:2'],
    ['a store that is left out', 'STORE_URL', ''],
    ['a public URL that is left to its default', 'PUBLIC_URL', ''],
  ])('%s', (_case, name, value) => {
    const faults = faultsOf({ ...SAFE, [name]: value });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}: .*production`))]);
    expect(faults.join()).not.toContain('needle');
  });

  it('all such settings at once, together with other faults, and each variable once', () => {
    const faults = faultsOf({
      NODE_ENV: 'production',
      LOG_LEVEL: 'loud',
      API_KEY: 'short',
      CONNECT_TO: 'no pair',
      OUTBOUND_ALLOW: 'loopback',
    });
    expect(namesAtFault(faults)).toEqual([
      'API_KEY',
      'CONNECT_TO',
      'LOG_LEVEL',
      'OUTBOUND_ALLOW',
      'PUBLIC_URL',
      'STORE_URL',
      'TRUSTED_PROXIES',
    ]);
  });
});

it.each(['http://localhost:4000', 'http://127.0.0.1:1', 'http://[::1]:1', 'http://api.localhost'])(
  'takes %s, written out, as a public URL: it is reached by this machine alone',
  (url) => {
    expect(faultsOf({ ...SAFE, PUBLIC_URL: url })).toEqual([]);
  },
);

it('distinguishes development secrets from other secrets', () => {
  for (const secret of ['mock-idp-dev-admin-key', 'legate-development-csrf-key-public', 'dev', 'x.dev'])
    expect([secret, isDevelopmentSecret(secret)]).toEqual([secret, true]);
  for (const secret of ['device-of-somebody', 'a9-devout-x', 'f3Q0b7nVdevZk29sLtYw', '{"keys":["-dev-"]}'])
    expect([secret, isDevelopmentSecret(secret)]).toEqual([secret, false]);
});
