import { describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { createPrivateJwk } from '@legate/testing';
import { readOrganizationDocument, UnusableDocument } from './management-api-document.ts';

const CONNECTOR = {
  id: 'con_a',
  organization_id: 'org_acme',
  name: 'A',
  resource_url: 'https://tools.example/billing',
  auth_method: 'id-jag',
  service_kind: null,
  scopes: ['read', 'write', 'read'],
  client_id: 'hub',
  secret: 'a-secret-value',
  secret_unreadable: false,
  version: '3',
};
const AGENT = {
  id: 'agt_a',
  status: 'active',
  connectors: [{ connector_id: 'con_a', scopes: ['read'], tools: ['find'], approval: 'write' }],
};
const document = (change: object = {}) => ({
  organization: { id: 'org_acme', status: 'active' },
  connectors: [CONNECTOR],
  agents: [AGENT],
  removed_users: ['user_gone'],
  ...change,
});
const read = (body: unknown) => readOrganizationDocument(OrganizationId.parse('org_acme'), body);
const withConnector = (change: object) => document({ connectors: [{ ...CONNECTOR, ...change }] });
const withBinding = (change: object) =>
  document({ agents: [{ ...AGENT, connectors: [{ ...AGENT.connectors[0], ...change }] }] });

it.each([
  [{ id_jag_used: true }, ['id-jag']],
  [{ consent_used: true }, ['oauth-pkce']],
  [{ token_exchange_used: true }, ['token-exchange']],
  [{ id_jag_used: true, consent_used: true }, ['id-jag', 'oauth-pkce']],
])(
  'with %j, the document contains the methods that have worked at the tool server',
  (change, usedMethods) => {
    expect(read(withConnector(change))?.connectors.get('con_a')).toMatchObject({ usedMethods });
  },
);

it('the document contains the connectors of an organization, ready for use', () => {
  const own = read(document());
  expect(own?.connectors.get('con_a')).toEqual({
    id: 'con_a',
    slug: 'con-a',
    organizationId: 'org_acme',
    name: 'A',
    stepUpScopes: [],
    usedMethods: [],
    fallbackApproval: undefined,
    resource: 'https://tools.example/billing',
    mcpUrl: 'https://tools.example/billing',
    methods: [
      {
        method: 'id-jag',
        clientId: 'hub',
        clientAuth: { method: 'client_secret', clientSecret: 'a-secret-value' },
        issuer: undefined,
        audience: undefined,
      },
    ],
    scopes: ['read', 'write'],
  });
});

it('the document contains former members', () => {
  expect(read(document())?.removedUsers).toEqual(new Set(['user_gone']));
  const denied_clients = [
    { user_id: 'user_alice', client_id: 'chat-app' },
    { user_id: 'user_alice', client_id: 'console' },
  ];
  expect(read(document({ denied_clients }))?.deniedClients).toEqual(
    new Map([['user_alice', new Set(['chat-app', 'console'])]]),
  );
});

it('the document may have unknown members', () => {
  expect(read({ ...document(), regions: ['eu'] })?.connectors.size).toBe(1);
  expect(read(withConnector({ colour: 'red' }))?.connectors.size).toBe(1);
});

it('the document of a suspended organization is empty', () => {
  expect(read(document({ organization: { id: 'org_acme', status: 'suspended' } }))).toBeUndefined();
});

describe('the whole document is refused if', () => {
  it.each<[string, unknown]>([
    ['it is not an object', 'x'],
    ['it is nothing', undefined],
    ['it is about another organization', document({ organization: { id: 'org_globex', status: 'active' } })],
    [
      'one connector is another organization’s',
      document({ connectors: [CONNECTOR, { ...CONNECTOR, id: 'con_b', organization_id: 'org_globex' }] }),
    ],
    ['a connector is there twice', document({ connectors: [CONNECTOR, CONNECTOR] })],
    ['an agent is there twice', document({ agents: [AGENT, AGENT] })],
    ['its status is unknown', document({ organization: { id: 'org_acme', status: 'frozen' } })],
    ['a connector id has a colon', withConnector({ id: 'con:a' })],
    ['an agent id has a colon', document({ agents: [{ ...AGENT, id: 'agt:a' }] })],
    ['a resource is no URL', withConnector({ resource_url: 'tools' })],
    ['a resource has another scheme', withConnector({ resource_url: 'file:///etc/passwd' })],
    ['a resource has a fragment', withConnector({ resource_url: 'https://tools.example/#a' })],
    ['a scope has a blank', withConnector({ scopes: ['a b'] })],
    ['a secret is no text', withConnector({ secret: { value: 'a-secret-value' } })],
    ['it does not say whether a secret could be read', withConnector({ secret_unreadable: undefined })],
    ['an agent is bound to tools that are no list', withBinding({ tools: 'find' })],
    ['an agent is bound to scopes that are no list', withBinding({ scopes: 'read' })],
    ['there are no agents', document({ agents: undefined })],
    ['it does not say who is no longer a member', document({ removed_users: undefined })],
  ])('%s', (_case, body) => {
    const reading = () => read(body);
    expect(reading).toThrow(UnusableDocument);
    expect(reading).not.toThrow('a-secret-value');
  });
});

describe('the MCP endpoint of a connector', () => {
  const endpointOf = (resource_url: string, mcp_url?: string | null) =>
    read(withConnector({ resource_url, mcp_url }))?.connectors.get('con_a')?.mcpUrl;

  it.each([
    'https://h.example/mcp?project=42',
    'https://h.example/',
    'https://h.example/http',
    'https://h.example/mcp/',
    'https://h.example?project=42',
  ])('is its address, as written: %s', (address) => {
    expect([endpointOf(address), endpointOf(address, null)]).toEqual([address, address]);
  });

  it('is at /mcp, if its address is only a host', () => {
    expect(endpointOf('https://h.example:8443')).toBe('https://h.example:8443/mcp');
  });

  it('is the URL that an administrator gave, at the same origin', () => {
    const given = 'https://h.example/v1/?key=a/b';
    expect(endpointOf('https://h.example', given)).toBe(given);
    const { connectors, faults } = read(withConnector({ mcp_url: 'https://evil.example/mcp' })) ?? {};
    expect([connectors?.size, faults?.get('con_a')]).toEqual([
      0,
      'its mcp_url is not at the origin of its resource_url; set it again',
    ]);
  });
});

describe('the client of a connector', () => {
  const idJagOf = (change: object) =>
    read(withConnector(change))?.connectors.get('con_a')?.methods[0] ??
    read(withConnector(change))?.faults.get('con_a');
  const secret = CONNECTOR.secret;
  const jwk = createPrivateJwk({ namedCurve: 'P-256' });

  it.each<[string | null | undefined, object]>([
    [null, { method: 'client_secret', clientSecret: secret }],
    [undefined, { method: 'client_secret', clientSecret: secret }],
    ['client_secret_post', { method: 'client_secret_post', clientSecret: secret }],
    ['client_secret_basic', { method: 'client_secret_basic', clientSecret: secret }],
  ])('authenticates with %s', (token_endpoint_auth_method, clientAuth) => {
    expect(idJagOf({ token_endpoint_auth_method })).toMatchObject({ clientAuth });
  });

  it('authenticates with a private key, with or without a kid', () => {
    const byKey = (key: object) =>
      idJagOf({ token_endpoint_auth_method: 'private_key_jwt', secret: JSON.stringify(key) });
    const privateJwk = { ...jwk, alg: 'ES256' };
    expect(byKey(jwk)).toMatchObject({ clientAuth: { method: 'private_key_jwt', privateJwk } });
    expect(byKey({ ...jwk, kid: 'a' })).toMatchObject({ clientAuth: { privateJwk: { kid: 'a' } } });
  });

  it('is reported as a fault if this hub cannot use it', () => {
    const key = { token_endpoint_auth_method: 'private_key_jwt' };
    expect(idJagOf(key)).toBe('its private key is no JWK in JSON');
    expect(idJagOf({ ...key, secret: JSON.stringify({ ...jwk, d: undefined }) })).toBe(
      'its private key cannot be read',
    );
    expect(idJagOf({ token_endpoint_auth_method: 'tls_client_auth' })).toBe(
      'this hub does not support its token_endpoint_auth_method',
    );
  });

  it('requests the audience that an administrator gave', () => {
    expect(idJagOf({ audience: 'urn:tools' })).toMatchObject({ audience: 'urn:tools' });
  });
});

describe('a connector', () => {
  it('of connected accounts has a public client, and the same client as the fallback of id-jag', () => {
    const settingsOf = (change: object) => {
      const own = read(document({ connectors: [{ ...CONNECTOR, ...change }] }));
      return own?.connectors.get('con_a')?.methods.at(-1);
    };
    const first = settingsOf({ auth_method: 'oauth-pkce', secret: null });
    expect(first).toMatchObject({ method: 'oauth-pkce', clientAuth: undefined, issuer: undefined });
    const pinned = settingsOf({ auth_method: 'oauth-pkce', secret: null, issuer: 'https://as.example/' });
    expect(pinned).toMatchObject({ issuer: 'https://as.example/' });
    expect(settingsOf({ auth_method: 'oauth-pkce', token_endpoint_auth_method: null })).toMatchObject({
      clientAuth: { method: 'client_secret', clientSecret: CONNECTOR.secret },
    });
    expect(settingsOf({ auth_method: 'oauth-pkce', client_id: null })).toMatchObject({
      clientAuth: undefined,
    });
    expect(settingsOf({ fallback: ['oauth-pkce'] })).toMatchObject({
      method: 'oauth-pkce',
      clientAuth: { method: 'client_secret' },
    });
  });

  it.each([null, undefined])('of connected accounts needs no client: %s', (client_id) => {
    const unregistered = { clientId: undefined, clientAuth: undefined };
    for (const change of [
      { auth_method: 'oauth-pkce', secret: null },
      { auth_method: 'service', service_kind: 'api_key', fallback: ['oauth-pkce'] },
      { auth_method: 'passthrough', acknowledge_legacy: true, secret: null, fallback: ['oauth-pkce'] },
    ]) {
      const own = read(withConnector({ ...change, client_id }));
      expect(own?.connectors.get('con_a')?.methods.at(-1)).toMatchObject(unregistered);
    }
  });

  it('passes the authorization server that an administrator pinned to every method that uses one', () => {
    const issuer = 'https://as.example/tenant/';
    const own = read(withConnector({ issuer, fallback: ['oauth-pkce'] }));
    expect(own?.connectors.get('con_a')?.methods).toMatchObject([
      { method: 'id-jag', issuer, audience: undefined },
      { method: 'oauth-pkce', issuer, clientAuth: { clientSecret: 'a-secret-value' } },
    ]);
  });

  it('of a service has the key in its own secret', () => {
    const own = read(
      withConnector({
        auth_method: 'service',
        service_kind: 'api_key',
        client_id: null,
        api_key_header: 'X-Key',
        fallback_secret: 'another-secret-value',
      }),
    );
    expect(own?.connectors.get('con_a')?.methods).toEqual([
      { method: 'service', key: { kind: 'api_key', header: 'x-key', value: 'a-secret-value' } },
    ]);
  });

  it('with fallbacks has them in order, and the service has its own secret', () => {
    const own = read(
      withConnector({
        fallback: ['service', 'passthrough'],
        service_kind: 'api_key',
        fallback_secret: 'another-secret-value',
        acknowledge_legacy: true,
        passthrough_audiences: ['frontend-app'],
      }),
    );
    expect(own?.connectors.get('con_a')?.methods).toEqual([
      expect.objectContaining({
        method: 'id-jag',
        clientAuth: { method: 'client_secret', clientSecret: 'a-secret-value' },
      }),
      {
        method: 'service',
        key: { kind: 'api_key', header: 'authorization', value: 'another-secret-value' },
      },
      { method: 'passthrough', acceptedAudiences: ['frontend-app'] },
    ]);
  });

  it.each<[string, object]>([
    ['is newer than this hub', { fallback: ['telepathy', 'passthrough'], acknowledge_legacy: true }],
    [
      'has no secret',
      { fallback: ['service', 'passthrough'], service_kind: 'api_key', acknowledge_legacy: true },
    ],
    [
      'has not been acknowledged',
      { fallback: ['passthrough', 'service'], fallback_secret: 'a-secret-value' },
    ],
  ])('tries no method after a fallback that %s', (_case, change) => {
    const own = read(withConnector(change));
    expect(own?.connectors.get('con_a')?.methods.map(({ method }) => method)).toEqual(['id-jag']);
  });

  it.each<[string, object, string]>([
    ['passed through without an acknowledgement', { auth_method: 'passthrough' }, 'acknowledged'],
    [
      'exchanged without an audience',
      { auth_method: 'token-exchange', acknowledge_shared_audience: true },
      'no exchange_audience',
    ],
    [
      'exchanged without an acknowledgement',
      { auth_method: 'token-exchange', exchange_audience: 'api://tools' },
      'acknowledged',
    ],
    ['of a service without a kind', { auth_method: 'service' }, 'kind'],
    ['of a newer kind of service', { auth_method: 'service', service_kind: 'kerberos' }, 'kind'],
    ['of a service without a secret', { auth_method: 'service', secret: null }, 'no secret'],
    [
      'of a service whose header has another meaning',
      { auth_method: 'service', service_kind: 'api_key', api_key_header: 'Host' },
      'another purpose',
    ],
    [
      'of a service whose key no header can hold',
      { auth_method: 'service', service_kind: 'api_key', secret: 'a\nb' },
      'cannot be sent',
    ],
    [
      'of a service whose certificate is none',
      { auth_method: 'service', service_kind: 'mtls' },
      'client certificate cannot be used (pem_invalid)',
    ],
    ['whose secret cannot be read', { secret: null, secret_unreadable: true }, 'secret'],
    ['without a secret', { secret: null }, 'no secret'],
    ['without a client', { client_id: null }, 'no client'],
    [
      'without a client, though users may connect',
      { client_id: null, fallback: ['oauth-pkce'] },
      'no client',
    ],
    ['of a method that is newer than this hub', { auth_method: 'telepathy' }, 'method'],
  ])('%s exists, is unusable, and has the reason', (_case, change, why) => {
    const own = read(
      document({
        connectors: [
          { ...CONNECTOR, ...change },
          { ...CONNECTOR, id: 'con_b' },
        ],
      }),
    );
    expect([...(own?.connectors.keys() ?? [])]).toEqual(['con_b']);
    expect(own?.faults.get('con_a')).toContain(why);
    expect(own?.agents.get('agt_a')?.faults.get('con_a')).toContain(why);
  });
});

describe('an agent', () => {
  const agent = (body: unknown) => read(body)?.agents.get('agt_a');

  it('may use exactly what is bound to it', () => {
    const bound = agent(document({ connectors: [CONNECTOR, { ...CONNECTOR, id: 'con_b' }] }));
    expect([...(bound?.connectors.keys() ?? [])]).toEqual(['con_a']);
    expect(bound?.connectors.get('con_a')).toMatchObject({
      scopes: ['read'],
      binding: { tools: new Set(['find']), scopesKey: expect.stringMatching(/^[\w-]{22}$/) },
    });
  });

  it('may use the whole connector if the binding has no limits', () => {
    expect(agent(withBinding({ scopes: null, tools: null }))?.connectors.get('con_a')).toMatchObject({
      scopes: ['read', 'write'],
      binding: { tools: undefined, scopesKey: undefined },
    });
  });

  it('may use no tool if the bound list is empty', () => {
    expect(agent(withBinding({ tools: [] }))?.connectors.get('con_a')?.binding?.tools?.size).toBe(0);
  });

  it.each([
    ['always', 'always'],
    ['write', 'write'],
    ['never', 'never'],
    [undefined, 'write'],
    ['twice', 'always'],
    [null, 'always'],
  ])('whose binding has the approval %j has %s', (approval, expected) => {
    const bound = agent(withBinding({ approval }))?.connectors.get('con_a');
    expect(bound?.binding?.approval).toBe(expected);
  });

  it('does not get a scope that the connector no longer has', () => {
    expect(agent(withBinding({ scopes: ['read', 'admin'] }))?.connectors.get('con_a')?.scopes).toEqual([
      'read',
    ]);
  });

  it.each([[[]], [['admin']]])(
    "without any of the connector's scopes cannot use the connector: %j",
    (scopes) => {
      const bound = agent(withBinding({ scopes }));
      expect(bound?.connectors.size).toBe(0);
      expect(bound?.faults.get('con_a')).toContain('scopes');
    },
  );

  it('shares tokens only with agents that have the same scopes, whatever their order', () => {
    const keyOf = (scopes: string[]) =>
      agent(withBinding({ scopes }))?.connectors.get('con_a')?.binding?.scopesKey;
    expect(keyOf(['write', 'read'])).toBe(keyOf(['read', 'write']));
    expect(keyOf(['read'])).not.toBe(keyOf(['write']));
  });

  it('is not bound to a missing connector', () => {
    expect(agent(withBinding({ connector_id: 'con_gone' }))).toMatchObject({
      connectors: new Map(),
      faults: new Map(),
    });
  });

  it.each([
    ['active', true],
    ['draft', false],
    ['disabled', false],
    ['retired', false],
  ])('that is %s may act: %s', (status, isActive) => {
    expect(agent(document({ agents: [{ ...AGENT, status }] }))?.isActive).toBe(isActive);
  });
});
