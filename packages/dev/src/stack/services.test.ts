import { describe, expect, it } from '@jest/globals';
import {
  environmentOf,
  personalityFrom,
  portsFrom,
  SERVICE_NAMES,
  type ServiceName,
  type StackOptions,
  urlsOf,
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
  const imitating = (name: ServiceName) => environmentOf(name, { ...options, personality: 'entra' });
  const issuer = 'http://localhost:3/legate-tenant/v2.0';
  expect(imitating('mock-idp')).toMatchObject({ IDP_ISSUER: issuer, PERSONALITY: 'entra' });
  expect(imitating('tool-hub')).toMatchObject({ IDP_ISSUER: issuer, ORGANIZATION_CLAIM: 'tid' });
  expect(imitating('console')).toMatchObject({ IDP_ISSUER: issuer, ORGANIZATION_CLAIM: 'tid' });
  expect(imitating('reference-mcp-server').TRUSTED_ISSUERS).toBe(issuer);
  const managementApi = imitating('management-api');
  expect(managementApi).toMatchObject({ IDP_ISSUER: issuer, ACCESS_TOKEN_TYPES: 'JWT' });
  expect(managementApi).not.toHaveProperty('IDP_ADMIN_URL'); // Entra ID has no such API
});

it('accepts PERSONALITY, and lists the known ones for an unknown one', () => {
  expect([personalityFrom({}), personalityFrom({ PERSONALITY: 'okta' })]).toEqual([undefined, 'okta']);
  expect(() => personalityFrom({ PERSONALITY: 'ping' })).toThrow(/^PERSONALITY must be one of okta, /);
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
