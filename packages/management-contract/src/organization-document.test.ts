import { expect, it } from '@jest/globals';
import {
  connectorsUrl,
  OrganizationDocument,
  type OrganizationDocumentInput,
  OrganizationNotFound,
} from './index.ts';

const LEAST: OrganizationDocumentInput = {
  organization: { id: 'org_acme', status: 'active' },
  connectors: [
    {
      id: 'con_a',
      organization_id: 'org_acme',
      name: 'A',
      resource_url: 'https://tools.example',
      auth_method: 'id-jag',
      scopes: ['read'],
      secret: 'a-secret-value',
      secret_unreadable: false,
    },
  ],
  agents: [
    { id: 'agt_a', status: 'active', connectors: [{ connector_id: 'con_a', scopes: null, tools: null }] },
  ],
  removed_users: [],
};

it('fills in all members that may be left out', () => {
  const { organization, connectors, agents, denied_clients, roles } = OrganizationDocument.parse(LEAST);
  expect(denied_clients).toEqual([]);
  expect(organization).toEqual({
    id: 'org_acme',
    name: null,
    status: 'active',
    plan: 'custom',
    agent_policy: 'any',
    role_source: 'local',
  });
  expect(agents[0]?.name).toBeNull();
  expect(roles).toEqual({});
  expect(connectors[0]).toMatchObject({ client_id: null, fallback: [], id_jag_used: false });
  expect(agents[0]?.connectors).toEqual([
    { connector_id: 'con_a', scopes: null, tools: null, approval: 'write' },
  ]);
});

it('fills in a restrictive value for each member of a connector that is left out', () => {
  expect(OrganizationDocument.parse(LEAST).connectors[0]).toEqual({
    ...LEAST.connectors[0],
    step_up_scopes: [],
    mcp_url: null,
    client_id: null,
    token_endpoint_auth_method: null,
    audience: null,
    service_kind: null,
    acknowledge_legacy: false,
    fallback: [],
    id_jag_used: false,
    consent_used: false,
    token_exchange_used: false,
    fallback_approval: null,
    passthrough_audiences: [],
    exchange_audience: null,
    token_audience: null,
    acknowledge_shared_audience: false,
    api_key_header: null,
    ca_certificates: null,
    issuer: null,
    fallback_secret: null,
    fallback_secret_unreadable: false,
  });
});

it.each(['always', 'write', 'never'])('keeps the approval %s', (approval) => {
  const binding = { connector_id: 'con_a', scopes: ['read'], tools: ['list'], approval };
  const agents = [{ id: 'agt_a', status: 'active', connectors: [binding] }];
  expect(OrganizationDocument.parse({ ...LEAST, agents }).agents[0]?.connectors).toEqual([binding]);
});

/** Returns the document with one change to its connector, or to the permissions of its agent. */
const withConnector = (change: object) => ({
  ...LEAST,
  connectors: [{ ...LEAST.connectors[0], ...change }],
});
const withBinding = (change: object) => ({
  ...LEAST,
  agents: [
    {
      id: 'agt_a',
      status: 'active',
      connectors: [{ connector_id: 'con_a', scopes: null, tools: null, ...change }],
    },
  ],
});
const withOrganization = (change: object) => ({
  ...LEAST,
  organization: { id: 'org_acme', status: 'active', ...change },
});
const isAccepted = (document: object) => OrganizationDocument.safeParse(document).success;
const x = (length: number) => 'x'.repeat(length);
const xs = (count: number, length = 1) => Array(count).fill(x(length));

it.each<[string, (length: number) => object, number]>([
  ['name', (n) => withConnector({ name: x(n) }), 500],
  ['resource_url', (n) => withConnector({ resource_url: `https://${x(n - 8)}` }), 2048],
  ['mcp_url', (n) => withConnector({ mcp_url: `https://${x(n - 8)}` }), 2048],
  ['token_endpoint_auth_method', (n) => withConnector({ token_endpoint_auth_method: x(n) }), 100],
  ['audience', (n) => withConnector({ audience: x(n) }), 2048],
  ['auth_method', (n) => withConnector({ auth_method: x(n) }), 100],
  ['scopes', (n) => withConnector({ scopes: xs(n) }), 100],
  ['step_up_scopes', (n) => withConnector({ step_up_scopes: xs(n) }), 100],
  ['client_id', (n) => withConnector({ client_id: x(n) }), 255],
  ['secret', (n) => withConnector({ secret: x(n) }), 16_384],
  ['service_kind', (n) => withConnector({ service_kind: x(n) }), 100],
  ['fallback', (n) => withConnector({ fallback: xs(n) }), 10],
  ['fallback, each', (n) => withConnector({ fallback: xs(1, n) }), 100],
  ['fallback_approval', (n) => withConnector({ fallback_approval: x(n) }), 100],
  ['passthrough_audiences', (n) => withConnector({ passthrough_audiences: xs(n) }), 20],
  ['passthrough_audiences, each', (n) => withConnector({ passthrough_audiences: xs(1, n) }), 2048],
  ['api_key_header', (n) => withConnector({ api_key_header: x(n) }), 100],
  ['ca_certificates', (n) => withConnector({ ca_certificates: x(n) }), 65_536],
  ['issuer', (n) => withConnector({ issuer: x(n) }), 2048],
  ['fallback_secret', (n) => withConnector({ fallback_secret: x(n) }), 16_384],
  ['status of an agent', (n) => ({ ...LEAST, agents: [{ id: 'agt_a', status: x(n), connectors: [] }] }), 100],
  ['tools', (n) => withBinding({ tools: xs(n) }), 200],
  ['tools, each', (n) => withBinding({ tools: xs(1, n) }), 128],
  ['connectors', (n) => ({ ...LEAST, connectors: Array(n).fill(LEAST.connectors[0]) }), 10_000],
  ['agents', (n) => ({ ...LEAST, agents: Array(n).fill(LEAST.agents[0]) }), 10_000],
  ['removed_users, each', (n) => ({ ...LEAST, removed_users: xs(1, n) }), 255],
  ['user_id, denied', (n) => ({ ...LEAST, denied_clients: [{ user_id: x(n), client_id: 'c' }] }), 255],
  ['client_id, denied', (n) => ({ ...LEAST, denied_clients: [{ user_id: 'u', client_id: x(n) }] }), 255],
])('limits the length of %s', (_member, documentWith, longest) => {
  expect([isAccepted(documentWith(longest)), isAccepted(documentWith(longest + 1))]).toEqual([true, false]);
});

it.each<[string, (text: string) => object]>([
  ['name', (name) => withConnector({ name })],
  ['client_id', (client_id) => withConnector({ client_id })],
  ['secret', (secret) => withConnector({ secret })],
  ['fallback_approval', (approval) => withConnector({ fallback_approval: approval })],
  ['passthrough_audiences, each', (audience) => withConnector({ passthrough_audiences: [audience] })],
  ['ca_certificates', (pem) => withConnector({ ca_certificates: pem })],
  ['issuer', (issuer) => withConnector({ issuer })],
  ['audience', (audience) => withConnector({ audience })],
  ['fallback_secret', (secret) => withConnector({ fallback_secret: secret })],
  ['tools, each', (tool) => withBinding({ tools: [tool] })],
])('refuses an empty string as %s', (_member, documentWith) => {
  expect([isAccepted(documentWith('')), isAccepted(documentWith('x'))]).toEqual([false, true]);
});

it.each([
  ['an unknown status', { status: 'deleted' }],
  ['a limit of no requests', { requests_per_minute: 0 }],
  ['a limit of parts of requests', { requests_per_minute: 0.5 }],
  ['a plan that is no code', { plan: 'The Plan' }],
])('refuses an organization with %s', (_case, change) => {
  expect(isAccepted(withOrganization(change))).toBe(false);
});

it.each([
  ['suspended', { status: 'suspended' }],
  ['limited to one request', { requests_per_minute: 1 }],
])('accepts an organization that is %s', (_case, change) => {
  expect(OrganizationDocument.parse(withOrganization(change)).organization).toMatchObject(change);
});

it.each(['ftp://tools.example', 'https://tools.example/#a', 'https://tools example', 'https://['])(
  'refuses %j as a resource',
  (resource_url) => {
    expect(isAccepted(withConnector({ resource_url }))).toBe(false);
    expect(isAccepted(withConnector({ mcp_url: resource_url }))).toBe(false);
  },
);

it('distinguishes an organization that does not exist from another 404', () => {
  expect(OrganizationNotFound.safeParse({ code: 'organization_not_found' }).success).toBe(true);
  expect(OrganizationNotFound.safeParse({ code: 'not_found' }).success).toBe(false);
  expect(OrganizationNotFound.safeParse({}).success).toBe(false);
});

it('reads an approval that only a newer version has as the strictest one', () => {
  const binding = { connector_id: 'con_a', scopes: null, tools: null, approval: 'four-eyes' };
  const agents = [{ id: 'agt_a', status: 'active', connectors: [binding] }];
  expect(OrganizationDocument.parse({ ...LEAST, agents }).agents[0]?.connectors[0]?.approval).toBe('always');
});

it('reads an agent policy that only a newer version has as the strictest one', () => {
  const policyOf = (agent_policy: string) =>
    OrganizationDocument.parse(withOrganization({ agent_policy })).organization.agent_policy;
  expect([policyOf('named'), policyOf('attested')]).toEqual(['named', 'authenticated']);
});

it('has a path in which the id is escaped', () => {
  expect(connectorsUrl('https://api.example', 'a/b')).toBe(
    'https://api.example/internal/v1/organizations/a%2Fb/connectors',
  );
});
