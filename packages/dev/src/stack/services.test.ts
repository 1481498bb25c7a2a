import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseImitated } from './imitated.ts';
import {
  environmentOf,
  portsFrom,
  SERVICE_NAMES,
  type ServiceName,
  type StackOptions,
  urlsOf,
  writeFiles,
} from './services.ts';

describe('ports', () => {
  it('are 4000 to 4004 unless the environment changes them', () => {
    expect(portsFrom({})).toEqual({
      'management-api': 4000,
      'tool-hub': 4001,
      'mock-idp': 4002,
      'reference-mcp-server': 4003,
      console: 4004,
    });
    expect(portsFrom({ TOOL_HUB_PORT: '5001' })['tool-hub']).toBe(5001);
  });

  it.each(['0', '65536', 'x', '1.5'])('refuse %s', (value) => {
    expect(() => portsFrom({ MOCK_IDP_PORT: value })).toThrow('MOCK_IDP_PORT');
  });

  it('are one for each service', () => {
    expect(() => portsFrom({ TOOL_HUB_PORT: '4003' })).toThrow(
      'two services cannot both listen at port 4003',
    );
  });
});

const ports = { 'management-api': 1, 'tool-hub': 2, 'mock-idp': 3, 'reference-mcp-server': 4, console: 5 };
const options: StackOptions = {
  ports,
  databaseUrl: undefined,
  redisUrl: undefined,
  encryptionKeys: undefined,
  dataDir: '/data',
  logLevel: 'info',
};

it('configures every service with the URLs of the others, even with other ports', () => {
  for (const name of SERVICE_NAMES) {
    const env = environmentOf(name, options);
    expect(env.PORT).toBe(String(ports[name]));
    expect(env.IDP_URL).toBe(urlsOf(ports)['mock-idp']);
    expect(Object.values(env).join()).not.toMatch(/:400\d/);
    expect(env).not.toHaveProperty('REDIS_URL');
  }
});

it('configures every service for the identity provider that mock-idp imitates', () => {
  const imitating = (name: ServiceName) => environmentOf(name, { ...options, idp: 'entra' });
  const issuer = 'http://localhost:3/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0';
  expect(imitating('mock-idp')).toMatchObject({ IDP_ISSUER: issuer, PERSONALITY: 'entra' });
  expect(imitating('tool-hub')).toMatchObject({ IDP_ISSUER: issuer, IDP_KIND: 'entra' });
  expect(imitating('console')).toMatchObject({ IDP_ISSUER: issuer, IDP_KIND: 'entra' });
  for (const name of ['tool-hub', 'management-api', 'console'] as const)
    expect(JSON.parse(imitating(name).ORGANIZATION_RULE ?? '')).toEqual({
      claim: 'tid',
      map: { '8eaef023-2b34-4da1-9baa-8bc8c9d6a490': 'org_acme' },
    });
  expect(imitating('reference-mcp-server').TRUSTED_ISSUERS).toBe(issuer);
  const managementApi = imitating('management-api');
  expect(managementApi).toMatchObject({ IDP_ISSUER: issuer, IDP_KIND: 'entra' });
  expect(managementApi).not.toHaveProperty('IDP_ADMIN_URL'); // Entra ID has no such API
});

it('needs no rule for the organization at a provider whose tokens name it', () => {
  expect(environmentOf('tool-hub', { ...options, idp: 'auth0' })).not.toHaveProperty('ORGANIZATION_RULE');
});

it('gives the hub a key and no secret at a provider whose agents register keys', () => {
  const hub = environmentOf('tool-hub', { ...options, idp: 'okta' });
  expect(hub).not.toHaveProperty('IDP_CLIENT_SECRET');
  expect(hub.IDP_CLIENT_KEYS_FILE).toBe('/data/idp-client-keys.json');
  expect(hub.ORGANIZATION_RULE).toBe('{"fixed":"org_acme"}');
  expect(environmentOf('mock-idp', { ...options, idp: 'okta' }).CONFIG_FILE).toBe(
    '/data/identity-provider.json',
  );
});

it('registers only the public key of the hub, in the place of its secret', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'legate-stack-'));
  try {
    await writeFiles({ dataDir, idp: 'okta' });
    const text = readFileSync(join(dataDir, 'identity-provider.json'), 'utf8');
    expect(text).not.toContain('tool-hub-dev-secret');
    const { clients } = JSON.parse(text);
    const hub = clients.find(({ client_id: id }: { client_id: string }) => id === 'tool-hub');
    const { keys } = JSON.parse(readFileSync(join(dataDir, 'idp-client-keys.json'), 'utf8'));
    expect(hub.jwks.keys).toEqual([expect.objectContaining({ kty: 'RSA', kid: keys[0].kid, n: keys[0].n })]);
    expect(Object.keys(hub.jwks.keys[0])).not.toContain('d');
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it('knows the providers that it can imitate, and lists them for another name', () => {
  expect([parseImitated(undefined), parseImitated('okta')]).toEqual([undefined, 'okta']);
  expect(() => parseImitated('ping')).toThrow(/^--idp must be one of okta, /);
});

it('links members again only if the identity provider loses them at a restart', () => {
  expect(environmentOf('management-api', options).RELINK_MEMBERS).toBe('true');
  const redisUrl = 'redis://127.0.0.1';
  expect(environmentOf('management-api', { ...options, redisUrl })).not.toHaveProperty('RELINK_MEMBERS');
});

it.each(['tool-hub', 'reference-mcp-server'] as const)("lets the MCP Inspector's page call %s", (name) => {
  expect(environmentOf(name, options).ALLOWED_ORIGINS?.split(',')).toEqual([
    'http://localhost:6274',
    'http://127.0.0.1:6274',
  ]);
});
