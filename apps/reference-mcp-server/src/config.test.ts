import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashClientSecret } from '@legate/oauth';
import { describeSettings } from '@legate/service';
import { configFaults, namesAtFault } from '@legate/service/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { Environment, loadConfig } from './config.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'reference-mcp-server-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const SECRET = 'a-secret-of-twenty-four-characters';
const CLIENT = { client_id: 'hub', secrets: [SECRET] };

let files = 0;
function fileWith(content: unknown): string {
  files += 1;
  const path = join(directory, `${files}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const load = (document: unknown, env: Record<string, string> = {}) =>
  loadConfig({
    RESOURCE: 'https://tools.example',
    TRUSTED_ISSUERS: 'https://idp.example',
    CLIENTS_FILE: fileWith(document),
    ...env,
  });

const faultsOf = (run: () => unknown): string => configFaults(run).join('\n');

describe('clients', () => {
  it('have hashed secrets, whether the file contains secrets or hashes', () => {
    const hash = hashClientSecret('another-secret');
    const config = load({ clients: [CLIENT, { client_id: 'b', secret_hashes: [hash.toString('hex')] }] });
    expect(config.clients).toEqual([
      { clientId: 'hub', secretHashes: [hashClientSecret(SECRET)] },
      { clientId: 'b', secretHashes: [hash] },
    ]);
    expect(JSON.stringify(config)).not.toContain(SECRET);
  });

  it.each([
    ['without a way to authenticate', { clients: [{ client_id: 'hub' }] }],
    ['with empty lists', { clients: [{ client_id: 'hub', secrets: [] }] }],
    [
      'with three secrets',
      { clients: [{ client_id: 'hub', secrets: [SECRET, `${SECRET}2`, `${SECRET}3`] }] },
    ],
    ['with a short secret', { clients: [{ client_id: 'hub', secrets: ['short'] }] }],
    ['with something that is no hash', { clients: [{ client_id: 'hub', secret_hashes: [SECRET] }] }],
    ['named twice', { clients: [CLIENT, CLIENT] }],
    ['with a misspelt member', { clients: [{ ...CLIENT, secret: SECRET }] }],
    ['with a private key', { clients: [{ client_id: 'hub', jwks: { keys: [{ kty: 'EC', d: SECRET }] } }] }],
    [
      'with a symmetric key',
      { clients: [{ client_id: 'hub', jwks: { keys: [{ kty: 'oct', k: SECRET }] } }] },
    ],
  ])('%s are refused, without showing a value', (_case, document) => {
    const faults = faultsOf(() => load(document));
    expect(faults).toContain('clients');
    expect(faults).not.toContain(SECRET);
  });

  it('with development secrets are refused in production', () => {
    const document = { development: true, clients: [CLIENT] };
    expect(load(document).clients).toHaveLength(1);
    expect(faultsOf(() => load(document, { NODE_ENV: 'production' }))).toContain('refused in production');
    const unmarked = { clients: [{ client_id: 'hub', secrets: ['tool-hub-at-reference-dev-secret'] }] };
    const faults = faultsOf(() => load(unmarked, { NODE_ENV: 'production' }));
    expect(faults).toContain('client hub: a secret is a development secret');
    expect(faults).not.toContain('tool-hub-at-reference');
  });
});

it('describes every setting', () => {
  expect(describeSettings(Environment)).toHaveLength(Object.keys(Environment.shape).length);
});

describe('in production', () => {
  const SAFE = {
    NODE_ENV: 'production',
    SIGNING_KEYS: '{"keys":[{"kty":"EC","d":"d"}]}',
    REDIS_URL: 'redis://redis.example',
    TRUSTED_PROXIES: 'none',
  };

  it('starts with safe settings', () => {
    expect(load({ clients: [CLIENT] }, SAFE).clients).toHaveLength(1);
  });

  it.each([
    ['SIGNING_KEYS', ''],
    ['REDIS_URL', ''],
    ['RESOURCE', ''],
    ['TRUSTED_PROXIES', ''],
    ['RESOURCE', 'http://tools.example'],
    ['TRUSTED_ISSUERS', 'http://idp.example'],
    ['CONNECT_TO', 'a:1=b:2'],
    ['OUTBOUND_ALLOW', 'loopback'],
    ['SIGNING_KEYS', '{"keys":[{"kty":"EC","d":"d","kid":"development"}]}'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(faultsOf(() => load({ clients: [] }, { ...SAFE, [name]: value }))).toMatch(
      new RegExp(`^${name}: .*production[^\n]*$`),
    );
  });

  it('refuses the published secrets of development', () => {
    const env = {
      ...SAFE,
      TOOL_HUB_URL: 'https://hub.example',
      TRANSACTION_TOKEN_CLIENT_SECRET: 'reference-mcp-server-at-hub-dev-secret',
      IDP_ISSUER: 'http://idp.example',
      IDP_CLIENT_ID: 'tools',
      IDP_CLIENT_SECRET: 'reference-mcp-server-dev-secret',
      MANAGEMENT_API_URL: 'https://api.example',
    };
    const faults = faultsOf(() => load({ clients: [] }, env)).split('\n');
    expect(namesAtFault(faults)).toEqual([
      'IDP_CLIENT_SECRET',
      'IDP_ISSUER',
      'TRANSACTION_TOKEN_CLIENT_SECRET',
    ]);
  });
});

it('reports every fault at once: of variables, of the file, of their combination, and of production', () => {
  const faults = faultsOf(() =>
    load(
      { clients: [CLIENT, CLIENT] },
      { NODE_ENV: 'production', PORT: 'x', TOOL_HUB_URL: 'x', CONNECT_TO: 'a:1=b:2' },
    ),
  ).split('\n');
  expect(faults.map((fault) => fault.replace(directory, '').split(':')[0])).toEqual([
    'PORT',
    'TOOL_HUB_URL',
    expect.stringMatching(/\.json$/),
    'TRANSACTION_TOKEN_CLIENT_SECRET',
    'IDP_ISSUER',
    'IDP_CLIENT_ID',
    'IDP_CLIENT_SECRET',
    'MANAGEMENT_API_URL',
    'SIGNING_KEYS',
    'REDIS_URL',
    'TRUSTED_PROXIES',
    'CONNECT_TO',
  ]);
});

it('derives the key set URL from an issuer, which may end with a slash', () => {
  const { TRUSTED_ISSUERS } = load(
    { clients: [] },
    { TRUSTED_ISSUERS: 'https://a.example/, https://b.example=https://keys.example/jwks?x=1' },
  );
  expect(TRUSTED_ISSUERS).toEqual([
    { issuer: 'https://a.example/', jwksUri: undefined },
    { issuer: 'https://b.example', jwksUri: 'https://keys.example/jwks?x=1' },
  ]);
});

it('has the specified settings by default', () => {
  expect(load({ clients: [] })).toMatchObject({
    PORT: 4003,
    ALLOWED_ORIGINS: [],
  });
});

it('accepts a private JWKS as signing keys, and reveals nothing of an invalid one', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const good = fileWith({ keys: [jwk] });
  expect(load({ clients: [] }, { SIGNING_KEYS_FILE: good }).SIGNING_KEYS?.keys[0]).toMatchObject({
    d: jwk.d,
  });
  const { d: _, ...publicJwk } = jwk;
  const bad = fileWith({ keys: [publicJwk] });
  const faults = faultsOf(() => load({ clients: [] }, { SIGNING_KEYS_FILE: bad }));
  expect(faults).toBe('SIGNING_KEYS: must be a JWKS of private keys');
});

it.each([
  ['RESOURCE', 'https://tools.example/'],
  ['RESOURCE', 'https://tools.example?x'],
  ['TRUSTED_ISSUERS', 'idp.example'],
  ['TRUSTED_ISSUERS', ''],
  ['TRUSTED_ISSUERS', 'https://idp.example#x'],
  ['ALLOWED_ORIGINS', 'https://app.example/'],
  ['ALLOWED_ORIGINS', '*'],
  ['ALLOWED_ORIGINS', 'null'],
  ['REDIS_URL', 'http://localhost'],
])('refuses %s=%s by name', (name, value) => {
  if (value === '') expect(() => load({ clients: [] }, { [name]: value })).toThrow(name);
  else expect(faultsOf(() => load({ clients: [] }, { [name]: value }))).toContain(name);
});

describe('tools for sites', () => {
  const SETTINGS = {
    TOOL_HUB_URL: 'https://hub.example',
    TRANSACTION_TOKEN_CLIENT_SECRET: SECRET,
    IDP_ISSUER: 'https://idp.example',
    IDP_CLIENT_ID: 'tools',
    IDP_CLIENT_SECRET: SECRET,
    MANAGEMENT_API_URL: 'https://api.example',
  };

  it('exist if all of their settings are given, and not without the endpoint', () => {
    expect(load({ clients: [] }, SETTINGS).sites).toEqual(SETTINGS);
    const { TOOL_HUB_URL: _, ...others } = SETTINGS;
    expect(load({ clients: [] }, others).sites).toBeUndefined();
  });

  it.each(Object.keys(SETTINGS).filter((name) => name !== 'TOOL_HUB_URL'))(
    'are refused without %s, which the error names',
    (name) => {
      const faults = faultsOf(() => load({ clients: [] }, { ...SETTINGS, [name]: '' }));
      expect(faults).toBe(`${name}: required with TOOL_HUB_URL`);
    },
  );
});
