import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import request from 'supertest';
import {
  connectorRecord,
  type FakeManagementApi,
  fetchOrganizationFrom,
  organizationDocument,
  startFakeManagementApi,
} from '../testing/fake-management-api.ts';
import { createScene, type Scene } from '../testing/scene.ts';
import { scriptedMcp } from '../testing/scripted-mcp.ts';
import { createManagementApiRegistry } from './management-api-registry.ts';

let api: FakeManagementApi;
let scene: Scene;
let app: ReturnType<Scene['replica']>;
let alice: string;
let close: () => Promise<unknown>;

beforeEach(async () => {
  api = await startFakeManagementApi();
  scene = await createScene();
  const source = fetchOrganizationFrom(api);
  close = source.close;
  const log = createLogger({ service: 'test', level: 'silent' });
  const registry = createManagementApiRegistry({
    fetchOrganization: source.fetchOrganization,
    clock: scene.clock,
    log,
    onEvent: () => {},
  });
  app = scene.replica({ registry });
  alice = await scene.idTokenOf('user_alice');
  publish([{ connector_id: 'con_tools', scopes: ['mcp:tools:read'], tools: ['whoami'] }]);
});
afterEach(async () => {
  await close();
  await scene.stop();
  await api.stop();
});

function publish(
  bindings: readonly object[],
  change: { status?: string; removed_users?: string[]; denied_clients?: object[] } = {},
) {
  const { status = 'active', ...rest } = change;
  const connectors = ['con_tools', 'con_other'].map((id) => connectorRecord(id, scene.toolServer.resource));
  const agents = [{ id: 'agt_support', status, connectors: bindings }];
  api.documents.set('org_acme', organizationDocument(connectors, { agents, ...rest }));
}

const as = (agent: string | undefined) => ({
  Authorization: `Bearer ${alice}`,
  ...(agent !== undefined && { 'Legate-Agent-Id': agent }),
});
const get = (path: string, agent?: string) => request(app).get(`/api/v1${path}`).set(as(agent));
const call = (tool: string, agent?: string, connector = 'con_tools') =>
  request(app).post(`/api/v1/connectors/${connector}/tools/${tool}/call`).set(as(agent)).send({});
const statusAndCode = (res: { status: number; body: { code?: string } }) => [res.status, res.body.code];
const scopesAskedFor = () => scene.idp.exchanges.map((form) => form.get('scope'));

describe('an agent', () => {
  it('sees only the connectors and tools bound to it', async () => {
    const { body } = await get('/connectors', 'agt_support');
    expect(body.data.map(({ id, scopes }: { id: string; scopes: string[] }) => [id, scopes])).toEqual([
      ['con_tools', ['mcp:tools:read']],
    ]);
    const { body: listed } = await get('/connectors/con_tools/tools', 'agt_support');
    expect(listed.tools.map(({ name }: { name: string }) => name)).toEqual(['whoami']);
  });

  it('calls the tools bound to it as its user, and no others', async () => {
    const res = await call('whoami', 'agt_support');
    expect([res.status, res.body.content[0].text]).toEqual([200, 'user_alice']);
    const { length } = scene.toolServer.calls;
    expect((await call('echo', 'agt_support')).status).toBe(404);
    expect(statusAndCode(await call('whoami', 'agt_support', 'con_other'))).toEqual([
      404,
      'connector_not_found',
    ]);
    expect(scene.toolServer.calls.length).toBe(length);
  });

  it('gets a token with its own scopes, even after its user got one with all scopes', async () => {
    await call('whoami');
    expect((await call('whoami', 'agt_support')).get('Legate-Token-Cache')).toBe('miss');
    expect((await call('whoami')).get('Legate-Token-Cache')).toBe('hit');
    expect((await call('whoami', 'agt_support')).get('Legate-Token-Cache')).toBe('hit');
    expect(scopesAskedFor()).toEqual(['mcp:tools:read mcp:tools:call', 'mcp:tools:read']);
  });

  it('gets no additional scope, whatever the tool server requires', async () => {
    scene.toolServer.requiredScopes.set('whoami', ['mcp:tools:call']);
    expect(statusAndCode(await call('whoami', 'agt_support'))).toEqual([403, 'delegation_denied']);
    expect(scopesAskedFor()).toEqual(['mcp:tools:read']);
  });

  it.each<[string, object[], { status?: string }, string | undefined, unknown]>([
    ['that nobody knows', [], {}, 'agt_other', [403, 'agent_unknown']],
    ['that is a draft', [], { status: 'draft' }, 'agt_support', [403, 'agent_inactive']],
    ['that is disabled', [], { status: 'disabled' }, 'agt_support', [403, 'agent_inactive']],
    ['whose id cannot be one', [], {}, 'agt:support', [400, 'validation_failed']],
    [
      'that has none of the scopes',
      [{ connector_id: 'con_tools', scopes: [], tools: null }],
      {},
      'agt_support',
      [502, 'connector_misconfigured'],
    ],
  ])('%s is refused', async (_case, bindings, change, agent, expected) => {
    publish(bindings, change);
    expect(statusAndCode(await call('whoami', agent))).toEqual(expected);
    expect(scene.toolServer.calls).toEqual([]);
  });

  it('is named in the refusal if the organization has none with this id', async () => {
    expect((await call('whoami', 'assistant')).body.detail).toBe(
      'Your organization has no agent "assistant". Legate-Agent-Id, or agent_id of a new session, must be the id of one of its agents.',
    );
  });
});

describe('the approval of a binding', () => {
  const KEY = 'legate/approval';
  const schema = { inputSchema: { type: 'object' } };
  const list = [
    { ...schema, name: 'find', annotations: { readOnlyHint: true }, _meta: { theirs: 1 } },
    { ...schema, name: 'write', _meta: { [KEY]: 'not-required', 'legate/other': 1 } },
  ];
  beforeEach(() => {
    scene.toolServer.misbehaviour = { mcp: scriptedMcp({ 'tools/list': () => ({ tools: list }) }) };
  });
  const metasOf = async (agent?: string) => {
    const { body } = await get('/connectors/con_tools/tools', agent);
    return body.tools.map(({ _meta }: { _meta?: object }) => _meta);
  };

  it.each([
    ['always', 'required', 'required'],
    ['write', 'not-required', 'required'],
    ['never', 'not-required', 'not-required'],
  ])('is sent as %s with each tool, and only by the hub', async (approval, reading, writing) => {
    publish([{ connector_id: 'con_tools', scopes: null, tools: null, approval }]);
    expect(await metasOf('agt_support')).toEqual([{ theirs: 1, [KEY]: reading }, { [KEY]: writing }]);
  });

  it('is not sent without an agent, neither by the hub nor by a tool server', async () => {
    expect(await metasOf()).toEqual([{ theirs: 1 }, {}]);
  });

  it('blocks no call, because the hub cannot verify an approval', async () => {
    publish([{ connector_id: 'con_tools', scopes: null, tools: null, approval: 'always' }]);
    scene.toolServer.misbehaviour = {};
    expect((await call('whoami', 'agt_support')).status).toBe(200);
  });
});

describe('a caller without an agent', () => {
  it('may use all connectors of the organization', async () => {
    const { body } = await get('/connectors');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['con_tools', 'con_other']);
    expect((await call('echo')).status).toBe(200);
  });

  it('is refused if the deployment requires an agent', async () => {
    app = scene.replica({ requireAgent: true });
    expect(statusAndCode(await get('/connectors'))).toEqual([403, 'agent_required']);
  });
});

it('refuses a former member, even with a valid ID token', async () => {
  publish([], { removed_users: ['user_alice'] });
  expect(statusAndCode(await get('/connectors'))).toEqual([403, 'membership_revoked']);
  expect(statusAndCode(await call('whoami', 'agt_support'))).toEqual([403, 'membership_revoked']);
});

describe('an application that the user has denied', () => {
  const denied_clients = [{ user_id: 'user_alice', client_id: 'frontend-app' }];

  it('is refused, with an agent and without', async () => {
    publish([{ connector_id: 'con_tools', scopes: null, tools: null }], { denied_clients });
    expect(statusAndCode(await get('/connectors'))).toEqual([403, 'consent_denied']);
    expect(statusAndCode(await call('whoami', 'agt_support'))).toEqual([403, 'consent_denied']);
  });

  it('is refused within 30 seconds, while the user can continue through another one', async () => {
    expect((await call('whoami')).status).toBe(200);
    publish([], { denied_clients });
    scene.clock.advanceSeconds(31);
    expect(statusAndCode(await call('whoami'))).toEqual([403, 'consent_denied']);
    alice = await scene.idTokenOf('user_alice', { azp: 'tool-hub', aud: ['frontend-app', 'tool-hub'] });
    expect((await call('whoami')).status).toBe(200);
  });

  it('is not refused for another user', async () => {
    publish([], { denied_clients: [{ user_id: 'user_bob', client_id: 'frontend-app' }] });
    expect((await get('/connectors')).status).toBe(200);
  });
});
