import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { ConfigError } from '@legate/service';
import type { ConnectorRegistry } from '../domain/registry.ts';
import { readConnectorsFile } from './connectors-document.ts';

const RECORD = {
  id: 'con_a',
  organization_ids: ['org_acme'],
  name: 'A',
  resource: 'https://tools.example',
  auth_method: 'id-jag',
  client_id: 'hub',
  client_secret: 'a-secret-value',
};

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'connectors-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function read(connectors: unknown[], options: { production?: boolean; document?: object } = {}) {
  const path = join(dir, 'connectors.json');
  writeFileSync(path, JSON.stringify({ connectors, ...options.document }));
  return readConnectorsFile(path, { env: {}, production: options.production ?? false });
}

function faultsOf(run: () => unknown): string {
  try {
    run();
  } catch (err) {
    if (err instanceof ConfigError) return err.faults.join('\n');
    throw err;
  }
  throw new Error('was accepted');
}

describe('the development setup', () => {
  const path = new URL('../../../../infra/development/connectors.json', import.meta.url).pathname;
  const env = { REFERENCE_MCP_SERVER_URL: 'http://localhost:5003' };

  it('gives the reference server to both organizations, whatever its URL', async () => {
    const registry = readConnectorsFile(path, { env, production: false });
    for (const organization of ['org_acme', 'org_globex']) {
      expect(
        (await registry.of(OrganizationId.parse(organization))).connectors.get('con_reference'),
      ).toMatchObject({
        resource: 'http://localhost:5003',
        mcpUrl: 'http://localhost:5003/mcp',
        methods: [{ method: 'id-jag', clientAuth: { method: 'client_secret' } }],
        scopes: ['mcp:tools:read', 'mcp:tools:call'],
      });
    }
    const elsewhere = await readConnectorsFile(path, { env: {}, production: false }).of(
      OrganizationId.parse('org_acme'),
    );
    expect(elsewhere.connectors.get('con_reference')?.resource).toBe('http://localhost:4003');
  });

  it('is refused in production', () => {
    expect(faultsOf(() => readConnectorsFile(path, { env, production: true }))).toContain(
      'refused in production',
    );
  });
});

describe('in production', () => {
  it.each([
    ['client_secret', { client_secret: 'tool-hub-at-reference-dev-secret' }],
    ['client_secret', { client_secret: 'change-me' }],
    ['client_secret', { client_secret: 'too-short' }],
    ['api_key', { auth_method: 'service', api_key: 'replace-me-with-a-key' }],
    [
      'client_private_key',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        client_private_key: { kty: 'EC', kid: 'hub-development' },
      },
    ],
  ])('refuses a development secret or a weak one as %s, and does not show it', (member, members) => {
    const { client_secret: _, ...record } = RECORD;
    const { client_secret, api_key } = { client_secret: 'hub-development', api_key: undefined, ...members };
    const faults = faultsOf(() => read([{ ...record, ...members }], { production: true }));
    expect(faults).toContain(`connectors.json: connector con_a: ${member}: is `);
    expect(faults).not.toContain(api_key ?? client_secret);
  });

  it('accepts random secrets', () => {
    const client_secret = 'Zq3vX8nLr5TkWb2Y';
    expect(() => read([{ ...RECORD, client_secret }], { production: true })).not.toThrow();
  });
});

describe('a connector', () => {
  const find = async (registry: ConnectorRegistry, organizationId: string) =>
    (await registry.of(OrganizationId.parse(organizationId))).connectors.get('con_a');

  it('exists only for its organizations', async () => {
    const registry = read([RECORD]);
    expect((await find(registry, 'org_acme'))?.organizationId).toBe('org_acme');
    expect((await registry.of(OrganizationId.parse('org_globex'))).connectors.size).toBe(0);
  });

  it('may differ between organizations with the same id', async () => {
    const registry = read([RECORD, { ...RECORD, organization_ids: ['org_globex'], client_id: 'other' }]);
    expect((await find(registry, 'org_acme'))?.methods).toMatchObject([{ clientId: 'hub' }]);
    expect((await find(registry, 'org_globex'))?.methods).toMatchObject([{ clientId: 'other' }]);
  });

  it.each([
    ['https://tools.example', 'https://tools.example/mcp'],
    ['https://tools.example/billing', 'https://tools.example/billing'],
    ['https://tools.example/', 'https://tools.example/'],
    ['https://tools.example/mcp?project=42', 'https://tools.example/mcp?project=42'],
    ['https://tools.example/mcp', 'https://tools.example/mcp'],
    ['https://tools.example/files/mcp', 'https://tools.example/files/mcp'],
  ])('with %s has the endpoint %s', async (resource, mcpUrl) => {
    expect((await find(read([{ ...RECORD, resource }]), 'org_acme'))?.mcpUrl).toBe(mcpUrl);
  });

  it('has the fallbacks of its method, in the order of the file', async () => {
    const service = { api_key: 'a-secret-value', api_key_header: 'X-Key' };
    const passthrough = { acknowledge_legacy: true, passthrough_audiences: ['frontend-app'] };
    const record = { ...RECORD, ...service, ...passthrough, fallback: ['service', 'passthrough'] };
    expect((await find(read([record]), 'org_acme'))?.methods).toEqual([
      expect.objectContaining({ method: 'id-jag', clientId: 'hub' }),
      { method: 'service', key: { kind: 'api_key', header: 'x-key', value: 'a-secret-value' } },
      { method: 'passthrough', acceptedAudiences: ['frontend-app'] },
    ]);
  });

  it('has its step-up scopes, and the approval of its fallback', async () => {
    const record = { ...RECORD, step_up_scopes: ['admin', 'admin'], fallback_approval: '2026-11-22' };
    expect(await find(read([record]), 'org_acme')).toMatchObject({
      stepUpScopes: ['admin'],
      fallbackApproval: '2026-11-22',
    });
  });

  it('of connected accounts needs no client: the hub is identified by its client metadata document', async () => {
    const { client_id: _, client_secret: __, ...plain } = RECORD;
    const own = { ...plain, auth_method: 'oauth-pkce' };
    const behind = { ...own, auth_method: 'service', api_key: 'a-secret-value', fallback: ['oauth-pkce'] };
    const settings = { method: 'oauth-pkce', clientId: undefined, clientAuth: undefined, issuer: undefined };
    for (const record of [own, behind])
      expect((await find(read([record]), 'org_acme'))?.methods.at(-1)).toEqual(settings);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an id with a colon', { id: 'con:a' }, 'connectors.0.id'],
    ['an id that leads elsewhere in a URL', { id: '..' }, 'connectors.0.id'],
    ['an organization with a colon', { organization_ids: ['org:a'] }, 'connectors.0.organization_ids.0'],
    ['no organization', { organization_ids: [] }, 'connectors.0.organization_ids'],
    ['a resource with a fragment', { resource: 'https://tools.example/#a' }, 'connectors.0.resource'],
    ['a resource with a password', { resource: 'https://a:b@tools.example' }, 'connectors.0.resource'],
    ['a resource that is no URL', { resource: 'tools' }, 'connectors.0.resource'],
    ['an MCP endpoint of another scheme', { mcp_url: 'file:///etc/passwd' }, 'connectors.0.mcp_url'],
    ['a method that does not exist', { auth_method: 'magic' }, 'connectors.0.auth_method'],
    ['no secret', { client_secret: undefined }, 'connectors.0.client_secret'],
    [
      'no key for private_key_jwt',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'connectors.0.client_private_key',
    ],
    ['no client', { client_id: undefined }, 'connectors.0.client_id'],
    [
      'no client for id-jag, though users may connect',
      { client_id: undefined, fallback: ['oauth-pkce'] },
      'connectors.0.client_id',
    ],
    [
      'a secret of no client',
      { auth_method: 'oauth-pkce', client_id: undefined },
      'connectors.0.client_id: required with a secret',
    ],
    [
      'a key of no client',
      {
        auth_method: 'oauth-pkce',
        client_id: undefined,
        client_secret: undefined,
        client_private_key: { kty: 'EC' },
      },
      'connectors.0.client_id: required with a secret',
    ],
    ['a method twice', { fallback: ['id-jag'] }, 'connectors.0.fallback'],
    ['no acknowledgement', { auth_method: 'passthrough' }, 'connectors.0.acknowledge_legacy'],
    ['none for a fallback', { fallback: ['passthrough'] }, 'connectors.0.acknowledge_legacy'],
    ['no key of its service', { fallback: ['service'] }, 'connectors.0.api_key'],
    [
      'two keys of its service',
      { auth_method: 'service', api_key: 'a-secret-value', client_certificate: 'x' },
      'connectors.0.api_key',
    ],
    [
      'a key for a header with another meaning',
      { auth_method: 'service', api_key: 'a-secret-value', api_key_header: 'Content-Type' },
      'connectors.0.api_key_header',
    ],
    [
      'a certificate that is none',
      { auth_method: 'service', client_certificate: 'a-secret-value' },
      'connectors.0.client_certificate',
    ],
    ['a scope with a blank', { scopes: ['a b'] }, 'connectors.0.scopes.0'],
    ['a member that nobody knows', { client_secert: 'x' }, 'connectors.0'],
  ])('is refused with %s, and the error contains the path but no value', (_case, change, place) => {
    const faults = faultsOf(() => read([{ ...RECORD, ...change }]));
    expect(faults).toContain(place);
    expect(faults).not.toContain('a-secret-value');
  });

  it('is refused if an organization has its id twice', () => {
    expect(faultsOf(() => read([RECORD, RECORD]))).toContain('duplicate connector con_a of org_acme');
  });
});

describe('token-exchange', () => {
  const { client_id: _client, client_secret: _secret, ...plain } = RECORD;
  const EXCHANGE = {
    ...plain,
    auth_method: 'token-exchange',
    exchange_audience: 'api://tools',
    acknowledge_shared_audience: true,
  };

  it('needs no client, and expects the audience that it asks for', async () => {
    const registry = read([{ ...EXCHANGE, issuer: 'https://idp.example' }]);
    expect((await registry.of(OrganizationId.parse('org_acme'))).connectors.get('con_a')?.methods).toEqual([
      {
        ...{ method: 'token-exchange', audience: 'api://tools', tokenAudience: 'api://tools' },
        issuer: 'https://idp.example',
      },
    ]);
  });

  it('needs no acknowledgement for tokens of the resource alone', () => {
    const own = { exchange_audience: 'tools', token_audience: RECORD.resource };
    read([{ ...EXCHANGE, ...own, acknowledge_shared_audience: false }]);
  });

  it.each([
    ['without an audience', { exchange_audience: undefined }, 'exchange_audience'],
    ['without an acknowledgement', { acknowledge_shared_audience: false }, 'acknowledge_shared_audience'],
  ])('is refused %s', (_case, change, fault) => {
    expect(faultsOf(() => read([{ ...EXCHANGE, ...change }]))).toContain(fault);
  });

  it.each([{ exchange_audience: 'API://tools' }, { exchange_audience: 'x', token_audience: 'api://tools' }])(
    'is refused for one audience at two origins: %j',
    (change) => {
      const other = { ...EXCHANGE, id: 'con_b', resource: 'https://other.example', ...change };
      expect(faultsOf(() => read([EXCHANGE, other]))).toContain('each could use the tokens of the other');
      read([EXCHANGE, { ...other, organization_ids: ['org_globex'] }]);
      read([EXCHANGE, { ...other, resource: 'https://tools.example/more' }]);
    },
  );
});
