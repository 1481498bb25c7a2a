import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, OrganizationId } from '@legate/ids';
import type { AgentPolicy } from '@legate/management-contract';
import { type Agent, organizationConnectors } from '../../domain/connector-set.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { Voucher } from '../../oauth-clients/oauth-client.ts';
import {
  type AuthorizationScene,
  CLIENTS,
  createAuthorizationScene,
  MCP,
  newBrowser,
} from '../../testing/authorization-scene.ts';

/** Clients that are agents. The agent `agt_support` may call only `whoami`. */

const SUPPORT = AgentId.parse('agt_support');
let agents: Agent[];
let agentClients: Map<string, AgentId>;
let agentPolicy: AgentPolicy;
let organizationName: string | undefined;
let onRecheck: () => void;
let scene: AuthorizationScene;
beforeEach(async () => {
  const tools = { tools: ['whoami'], scopes: undefined };
  agents = [{ id: SUPPORT, isActive: true, bindings: [] }];
  agentClients = new Map([['other', SUPPORT]]);
  agentPolicy = 'any';
  organizationName = undefined;
  onRecheck = () => undefined;
  const registry: ConnectorRegistry = {
    async of() {
      const own = new Map([[scene.connector.id, scene.connector]]);
      const bound = agents.map((agent) => ({
        ...agent,
        bindings: [{ connectorId: scene.connector.id, ...tools }],
      }));
      return {
        ...organizationConnectors(own, new Map(), bound),
        ...{ name: organizationName, agentClients, agentPolicy },
      };
    },
    forget: () => undefined,
    recheckOne: () => onRecheck(),
  };
  scene = await createAuthorizationScene({}, { registry });
});
afterEach(() => scene.stop());

const toolsOf = async (token: string) =>
  (await scene.listTools(token)).body.result.tools.map(({ name }: { name: string }) => name);

it.each([
  ['by the organization', 'other'],
  ['by the operator', 'file-agent'],
])(
  'a client that is bound to an agent %s can use exactly the tools of the agent',
  async (_case, client_id) => {
    const ofOperator = { clientId: 'file-agent', agentId: SUPPORT };
    const organizationId = OrganizationId.parse('org_acme');
    scene.clients.set('file-agent', { ...CLIENTS.agent, ...ofOperator, organizationId } as never);
    const { access_token } = await scene.tokens(newBrowser(), { client_id });
    expect(await toolsOf(access_token)).toEqual(['con-tools_whoami']);
  },
);

it('any other client can use the tools of its user', async () => {
  const { access_token } = await scene.tokens();
  expect((await toolsOf(access_token)).length).toBeGreaterThan(1);
});

describe('the session of a client ends if the client becomes an agent, or another agent, after the user allowed it', () => {
  const OTHER = AgentId.parse('agt_other');
  beforeEach(() => {
    agents = [...agents, { id: OTHER, isActive: true, bindings: [] }];
  });

  it.each<[string, string | undefined, string]>([
    ['becomes one', undefined, 'agt_support'],
    ['is moved to another one', 'agt_support', 'agt_other'],
  ])('at its next call: %s', async (_case, before, after) => {
    agentClients = new Map(before === undefined ? [] : [['other', AgentId.parse(before)]]);
    const tokens = await scene.tokens(newBrowser(), { client_id: 'other' });
    expect((await scene.listTools(tokens.access_token)).status).toBe(200);
    agentClients = new Map([['other', AgentId.parse(after)]]);
    const call = await scene.listTools(tokens.access_token);
    expect([call.status, call.body.error.data.reason]).toEqual([401, 'session_ended']);
    expect(call.headers['www-authenticate']).toContain('resource_metadata=');
    const refresh = await scene.refresh(tokens.refresh_token, { client_id: 'other' });
    expect([refresh.status, refresh.body.error]).toEqual([400, 'invalid_grant']);
    expect((await scene.begin(newBrowser(), { client_id: 'other' })).text).toContain(after);
    expect(await toolsOf((await scene.tokens(newBrowser(), { client_id: 'other' })).access_token)).toEqual([
      'con-tools_whoami',
    ]);
  });

  it('at its next refresh', async () => {
    agentClients = new Map();
    const tokens = await scene.tokens(newBrowser(), { client_id: 'other' });
    agentClients = new Map([['other', SUPPORT]]);
    const refresh = await scene.refresh(tokens.refresh_token, { client_id: 'other' });
    expect([refresh.status, refresh.body.error]).toEqual([400, 'invalid_grant']);
    expect((await scene.listTools(tokens.access_token)).status).toBe(401);
    expect((await scene.audited()).at(-1)).toMatchObject({
      action: 'session.ended',
      details: { reason: 'agent_changed' },
    });
  });

  it('before its code is redeemed', async () => {
    agentClients = new Map();
    const answer = await scene.authorize(newBrowser(), { client_id: 'other' });
    agentClients = new Map([['other', SUPPORT]]);
    const code = answer.searchParams.get('code') ?? '';
    const redeemed = await scene.redeem(code, { client_id: 'other' });
    expect([redeemed.status, redeemed.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('but not if only the name or the bindings of the agent change', async () => {
    const { access_token } = await scene.tokens(newBrowser(), { client_id: 'other' });
    agents = agents.map((agent) => ({ ...agent, name: 'Another name' }));
    expect((await scene.listTools(access_token)).status).toBe(200);
  });

  it('even if the operator assigned another agent: the choice of the organization takes precedence', async () => {
    const organizationId = OrganizationId.parse('org_acme');
    const clientId = 'file-agent';
    scene.clients.set(clientId, { ...CLIENTS.agent, clientId, agentId: OTHER, organizationId } as never);
    const first = await scene.tokens(newBrowser(), { client_id: clientId });
    expect((await scene.listTools(first.access_token)).status).toBe(200);
    agentClients = new Map([[clientId, SUPPORT]]);
    expect((await scene.listTools(first.access_token)).status).toBe(401);
    const second = await scene.tokens(newBrowser(), { client_id: clientId });
    expect((await scene.listTools(second.access_token)).status).toBe(200);
  });
});

describe('the page that asks the user', () => {
  const rowsOf = (page: { text: string }) =>
    Object.fromEntries(
      [...page.text.matchAll(/<dt>([^<]+)<\/dt>\s*<dd[^>]*>([\s\S]*?)<\/dd>/g)].map(([, term, shown]) => [
        term,
        shown,
      ]),
    );

  it('names the agent, and shows whose tools the client can use', async () => {
    const page = await scene.begin(newBrowser(), { client_id: 'other' });
    expect(rowsOf(page)).toMatchObject({
      Agent: 'agt_support',
      Organization: 'org_acme',
      Tools: 'All that your organization allows the agent to use',
    });
  });

  it('shows the names that the organization has given itself, its agents and its connectors', async () => {
    organizationName = 'Acme & Söhne';
    agents = agents.map((agent) => ({ ...agent, name: 'Support desk' }));
    const page = await scene.begin(newBrowser(), { client_id: 'other', resource: `${MCP}/con_tools` });
    expect(rowsOf(page)).toMatchObject({
      Agent: 'Support desk',
      Organization: 'Acme &amp; Söhne',
      Tools: 'Those of Tools',
    });
  });

  it('does not reveal the name of a connector that the agent does not have', async () => {
    const page = await scene.begin(newBrowser(), { client_id: 'other', resource: `${MCP}/con_hidden` });
    expect(rowsOf(page).Tools).toBe(`Those of ${MCP}/con_hidden`);
  });

  it.each<[string, Voucher, string]>([
    ['the organization, by its name', { kind: 'organization' }, 'Registered by Acme'],
    ['the operator', { kind: 'operator' }, 'Registered by the operator of this service'],
    ['nobody', { kind: 'nobody' }, 'Nobody vouches for this name: the application registered itself'],
    [
      'those who publish its document, by the whole address',
      { kind: 'document', digest: 'd' },
      'https://<strong>storage.example</strong>/mallory/client.json?a=1&amp;b=2',
    ],
  ])('says who vouches for a client: %s', async (_case, vouchedBy, expected) => {
    organizationName = 'Acme';
    const clientId = 'https://storage.example/mallory/client.json?a=1&b=2';
    const organizationId = OrganizationId.parse('org_acme');
    scene.clients.set(clientId, { ...CLIENTS.agent, clientId, vouchedBy, organizationId } as never);
    const rows = rowsOf(await scene.begin(newBrowser(), { client_id: clientId }));
    expect(rows['Who vouches for it']).toBe(expected);
    expect(rows['Where you will be sent']).toBe('https://<strong>agent.example</strong>/callback');
  });
});

it('does not redirect to a client of an organization before the user has signed in', async () => {
  const organizationId = OrganizationId.parse('org_acme');
  const own = { clientId: 'lac_desk', vouchedBy: { kind: 'organization' }, organizationId };
  scene.clients.set('lac_desk', { ...CLIENTS.agent, ...own } as never);
  for (const wrong of [{ response_type: 'token' }, { resource: 'https://evil.example/' }]) {
    const url = scene.authorizationUrl({ client_id: 'lac_desk', ...wrong });
    const answer = await scene.visit(newBrowser(), url);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  }
  const silent = scene.authorizationUrl({ client_id: 'lac_desk', prompt: 'none' });
  const { location } = (await scene.visit(newBrowser(), silent)).headers;
  expect(location).toMatch(/\/oauth\/interaction\//);
});

it('asks again when a remembered client becomes an agent', async () => {
  const browser = newBrowser();
  agentClients = new Map();
  await scene.authorize(browser, { client_id: 'other' });
  expect((await scene.begin(browser, { client_id: 'other' })).headers.location).toBeDefined();
  agentClients = new Map([['other', SUPPORT]]);
  expect((await scene.begin(browser, { client_id: 'other' })).text).toContain('agt_support');
});

it.each<[string, string, () => void]>([
  ['is not active', 'switched off', () => (agents = agents.map((agent) => ({ ...agent, isActive: false })))],
  ['the organization has no more', 'is no longer an agent', () => (agents = [])],
])('refuses the client of an agent that %s', async (_case, text, change) => {
  change();
  const page = await scene.begin(newBrowser(), { client_id: 'other' });
  expect([page.status, page.text]).toEqual([403, expect.stringContaining(text)]);
});

it('refuses a client of the organization once it is removed', async () => {
  const lac = { clientId: 'lac_desk', agentId: SUPPORT, organizationId: OrganizationId.parse('org_acme') };
  scene.clients.set('lac_desk', { ...CLIENTS.agent, ...lac } as never);
  agentClients = new Map([['lac_desk', SUPPORT]]);
  const { access_token } = await scene.tokens(newBrowser(), { client_id: 'lac_desk' });
  expect(await toolsOf(access_token)).toEqual(['con-tools_whoami']);
  agentClients = new Map();
  expect((await scene.begin(newBrowser(), { client_id: 'lac_desk' })).status).toBe(403);
});

it('reads the organization again before it refuses an unknown client, which may be new', async () => {
  const lac = { clientId: 'lac_new', agentId: SUPPORT, organizationId: OrganizationId.parse('org_acme') };
  scene.clients.set('lac_new', { ...CLIENTS.agent, ...lac } as never);
  onRecheck = () => {
    agentClients = new Map([['lac_new', SUPPORT]]);
  };
  expect((await scene.tokens(newBrowser(), { client_id: 'lac_new' })).access_token).toMatch(/^lat_/);
});

it('admits only clients of agents if the organization requires it, whatever form is sent', async () => {
  const browser = newBrowser();
  const page = await scene.begin(browser);
  expect(page.text).toContain('value="allow"');
  agentPolicy = 'authenticated';
  expect((await scene.begin(newBrowser())).text).toContain('has not admitted this application');
  const answer = await scene.decide(browser, page);
  expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  agentPolicy = 'any';
  expect((await scene.tokens(newBrowser(), { client_id: 'other' })).access_token).toMatch(/^lat_/);
});
