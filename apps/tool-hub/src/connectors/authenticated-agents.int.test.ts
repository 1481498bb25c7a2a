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
import { createManagementApiRegistry } from './management-api-registry.ts';

/** The agent `agt_support` may call only `whoami`; `agt_other` may call all tools. */

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
  const registry = createManagementApiRegistry({
    fetchOrganization: source.fetchOrganization,
    clock: scene.clock,
    log: createLogger({ service: 'test', level: 'silent' }),
    onEvent: () => {},
  });
  app = scene.replica({ registry });
  alice = await scene.idTokenOf('user_alice');
  publish();
});
afterEach(async () => {
  await close();
  await scene.stop();
  await api.stop();
});

function publish(change: { status?: string; agent_policy?: string } = {}) {
  const { status = 'active', ...rest } = change;
  const agents = [
    {
      id: 'agt_support',
      name: 'Support',
      status,
      connectors: [{ connector_id: 'con_tools', scopes: null, tools: ['whoami'] }],
    },
    {
      id: 'agt_other',
      status: 'active',
      connectors: [{ connector_id: 'con_tools', scopes: null, tools: null }],
    },
  ];
  const connectors = [connectorRecord('con_tools', scene.toolServer.resource)];
  api.documents.set(
    'org_acme',
    organizationDocument(connectors, { agents, roles: { user_alice: 'owner' }, ...rest }),
  );
}

const openSession = (body: object, token = alice) =>
  request(app).post('/api/v1/sessions').set('Authorization', `Bearer ${token}`).send(body);
const sessionOf = async (agent_id: string): Promise<string> => (await openSession({ agent_id })).body.session;

function call(tool: string, token: string, agent?: string) {
  const test = request(app).post(`/api/v1/connectors/con_tools/tools/${tool}/call`);
  test.set('Authorization', `Bearer ${token}`);
  if (agent !== undefined) test.set('Legate-Agent-Id', agent);
  return test.send({});
}
function listAtMcp(token: string, agent?: string) {
  const test = request(app)
    .post('/mcp')
    .set({
      Host: 'hub.test',
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-06-18',
    });
  if (agent !== undefined) test.set('Legate-Agent-Id', agent);
  return test.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
}
const statusAndCode = (res: { status: number; body: { code?: string } }) => [res.status, res.body.code];

describe('a session that is bound to an agent', () => {
  it('returns the agent that it is bound to', async () => {
    const res = await openSession({ agent_id: 'agt_support' });
    expect([res.status, res.body]).toEqual([
      201,
      { session: expect.any(String), expires_at: expect.any(String), agent_id: 'agt_support' },
    ]);
  });

  it('has the bindings of the agent, with or without the header that names it, and is refused with the header of another agent', async () => {
    const session = await sessionOf('agt_support');
    expect([
      (await call('whoami', session)).status,
      (await call('whoami', session, 'agt_support')).status,
      (await call('echo', session)).status,
      (await call('echo', session, 'agt_support')).status,
    ]).toEqual([200, 200, 404, 404]);
    expect(statusAndCode(await call('echo', session, 'agt_other'))).toEqual([403, 'agent_mismatch']);
    expect(statusAndCode(await call('whoami', session, 'no id:'))).toEqual([403, 'agent_mismatch']);
  });

  it('lists at /mcp the tools of its agent, whichever agent the request names', async () => {
    const session = await sessionOf('agt_support');
    const { body } = await listAtMcp(session);
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(['con-tools_whoami']);
    const refused = await listAtMcp(session, 'agt_other');
    expect([refused.status, refused.body.error.data.code]).toEqual([403, 'agent_mismatch']);
  });

  it.each<['get' | 'delete' | 'post', string]>([
    ['delete', '/tokens'],
    ['get', '/sessions'],
    ['delete', '/sessions/hse_any'],
    ['delete', '/connectors/con_tools/connections'],
    ['post', '/doctor'],
  ])('is refused operations that are only for its user: %s %s', async (method, path) => {
    const session = await sessionOf('agt_support');
    const ask = (token: string) =>
      request(app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
    expect(statusAndCode(await ask(session))).toEqual([403, 'insufficient_permission']);
    expect((await call('whoami', session)).status).toBe(200);
    const owner = await scene.idTokenOf('user_alice', { jti: 'owner' });
    expect(statusAndCode(await ask(owner))[1]).not.toBe('insufficient_permission');
  });

  it('may end itself', async () => {
    const session = await sessionOf('agt_support');
    const ended = await request(app)
      .delete('/api/v1/sessions/current')
      .set('Authorization', `Bearer ${session}`);
    expect([
      ended.status,
      (await call('whoami', session)).status,
      (await call('whoami', alice)).status,
    ]).toEqual([204, 401, 200]);
  });

  it('may open no other session', async () => {
    const session = await sessionOf('agt_support');
    expect(statusAndCode(await openSession({ agent_id: 'agt_other' }, session))).toEqual([
      403,
      'id_token_required',
    ]);
  });

  it.each<[string, { status?: string }, string, unknown]>([
    ['that nobody knows', {}, 'agt_nobody', [403, 'agent_unknown']],
    ['that is disabled', { status: 'disabled' }, 'agt_support', [403, 'agent_inactive']],
    ['whose id cannot be one', {}, 'agt:support', [400, 'validation_failed']],
  ])('is not opened for a client that %s', async (_case, change, agent, expected) => {
    publish(change);
    expect(statusAndCode(await openSession({ agent_id: agent }))).toEqual(expected);
  });

  it('has no tools while the agent is disabled', async () => {
    const session = await sessionOf('agt_support');
    publish({ status: 'disabled' });
    scene.clock.advanceSeconds(31);
    expect(statusAndCode(await call('whoami', session))).toEqual([403, 'agent_inactive']);
  });

  it('shows in the audit trail and in explanations that its agent was proven; an agent that a caller only named is marked as not proven', async () => {
    await call('whoami', await sessionOf('agt_support'));
    await call('whoami', alice, 'agt_support');
    const calls = (await scene.audited()).filter(({ action }) => action === 'tool.called');
    expect(calls.map(({ targets, details }) => [targets[0], details.agent_authenticated])).toEqual([
      [{ type: 'agent', id: 'agt_support' }, true],
      [{ type: 'agent', id: 'agt_support' }, undefined],
    ]);
    const explained = await Promise.all(
      calls.map(({ id }) =>
        request(app).get(`/api/v1/calls/${id}/explanation`).auth(alice, { type: 'bearer' }),
      ),
    );
    const names = { agent_id: 'agt_support', agent_name: 'Support', connector_name: 'con_tools' };
    expect(explained.map(({ body }) => body)).toMatchObject([
      { ...names, agent_authenticated: true },
      { ...names, agent_authenticated: null },
    ]);
  });

  it('names its agent in the audit events of its beginning and end', async () => {
    const session = await sessionOf('agt_support');
    await request(scene.app).delete('/api/v1/sessions/current').auth(session, { type: 'bearer' }).expect(204);
    expect(await scene.audited()).toMatchObject(
      ['session.opened', 'session.ended'].map((action) => ({
        action,
        targets: [{ type: 'agent', id: 'agt_support' }],
        details: { authorized_party: 'frontend-app', agent_authenticated: true },
      })),
    );
  });

  it('records the refusal of another agent, and that it ended, in the audit trail', async () => {
    await call('echo', await sessionOf('agt_support'), 'agt_other');
    const [refused] = (await scene.audited()).filter(({ action }) => action === 'tool.denied');
    expect(refused?.details).toMatchObject({ leg: 'caller', rule: 'agent_mismatch' });
  });
});

describe('an organization', () => {
  const outcomes = async () => {
    const bound = await sessionOf('agt_support');
    const { body } = await openSession({});
    return [
      statusAndCode(await call('whoami', alice)),
      statusAndCode(await call('whoami', alice, 'agt_support')),
      statusAndCode(await call('whoami', body.session)),
      statusAndCode(await call('whoami', bound)),
    ];
  };
  const OK = [200, undefined];
  const REQUIRED = [403, 'agent_required'];
  const UNPROVEN = [403, 'agent_unauthenticated'];

  it.each<[string, unknown[]]>([
    ['any', [OK, OK, OK, OK]],
    ['named', [REQUIRED, OK, REQUIRED, OK]],
    ['authenticated', [REQUIRED, UNPROVEN, REQUIRED, OK]],
    ['of-a-newer-version', [REQUIRED, UNPROVEN, REQUIRED, OK]],
  ])('with the policy %s admits callers accordingly', async (agent_policy, expected) => {
    publish({ agent_policy });
    expect(await outcomes()).toEqual(expected);
  });

  it('explains the refusal at /mcp, and names who can help', async () => {
    publish({ agent_policy: 'authenticated' });
    const { status, body } = await listAtMcp(alice, 'agt_support');
    expect([status, body.error.data]).toEqual([
      403,
      expect.objectContaining({
        code: 'agent_unauthenticated',
        authorization: expect.objectContaining({ remediation: 'out_of_band' }),
      }),
    ]);
  });

  it('lets users manage their connections without an agent', async () => {
    publish({ agent_policy: 'authenticated' });
    const res = await request(app)
      .get('/api/v1/connectors/con_tools/connections')
      .set('Authorization', `Bearer ${alice}`);
    expect(statusAndCode(res)).toEqual([409, 'connection_not_used']);
  });
});
