import { afterEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { createAgentsScene } from '../testing/agents-scene.ts';
import { sendJson } from '../testing/http-server.ts';
import { createScene, type Scene, type SceneOptions } from '../testing/scene.ts';
import type { AuditEvent } from './call-event.ts';

let scene: Scene;
afterEach(() => scene.stop());

const start = async (options?: SceneOptions) => {
  scene = await createScene(options);
};
async function call(token: string, tool = 'whoami', options: { connector?: string; headers?: object } = {}) {
  return request(scene.app)
    .post(`/api/v1/connectors/${options.connector ?? 'con_tools'}/tools/${tool}/call`)
    .auth(token, { type: 'bearer' })
    .set({ ...options.headers })
    .send({ arguments: {} });
}
const explain = (token: string, callId: string | undefined) =>
  request(scene.app).get(`/api/v1/calls/${callId}/explanation`).auth(token, { type: 'bearer' });
const summary = ({ action, details: { leg, rule, cache } }: AuditEvent) => [action, `${leg}.${rule}`, cache];
const deny = () => {
  scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
};

it('records one event for each call, with the id from its response', async () => {
  await start();
  const alice = await scene.idTokenOf('user_alice');
  const answers = [
    await call(alice),
    await call(alice),
    await call(alice, 'broken'),
    await call(alice, 'no_such_tool'),
    await call(alice, 'whoami', { connector: 'con_nowhere' }),
    await call(alice, 'whoami', { headers: { 'Legate-Agent-Id': 'not an id' } }),
    await call(alice, 'whoami', { headers: { 'Legate-Agent-Id': 'agt_unknown' } }),
  ];
  const events = await scene.audited();
  expect(events.map(({ id }) => id)).toEqual(answers.map((answer) => answer.get('Legate-Call-Id')));
  expect(events.map(summary)).toEqual([
    ['tool.called', 'authorization_server.token_issued', 'miss'],
    ['tool.called', 'cache.token_cached', 'hit'],
    [expect.any(String), expect.stringMatching(/^tool_server\./), 'hit'],
    ['tool.called', 'tool_server.tool_unknown', 'hit'],
    ['tool.denied', 'registry.connector_unknown', undefined],
    ['tool.denied', 'caller.request_invalid', undefined],
    ['tool.denied', 'registry.agent_unknown', undefined],
  ]);
  const [fresh, cached] = events;
  expect(fresh?.details.id_jag_hash).toMatch(/^[\w-]{43}$/);
  expect(cached?.details.access_token_hash).toBe(fresh?.details.access_token_hash);
});

it('explains a refused list as such, because it calls no tool', async () => {
  await start();
  deny();
  const alice = await scene.idTokenOf('user_alice');
  await request(scene.app)
    .get('/api/v1/connectors/con_tools/tools')
    .auth(alice, { type: 'bearer' })
    .expect(403);
  const [event] = await scene.audited();
  const { body } = await explain(alice, event?.id);
  expect(body).toMatchObject({ action: 'delegation.denied', tool: null, rule: 'policy_denied' });
});

it('records the caller’s trace and request id separately from its own ids', async () => {
  await start();
  const alice = await scene.idTokenOf('user_alice');
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparents = [
    `00-${trace}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    'nonsense',
  ];
  for (const traceparent of traceparents)
    await call(alice, 'whoami', { headers: { traceparent, 'X-Request-Id': 'req_of_the_caller' } });
  const events = await scene.audited();
  expect(events.map(({ details }) => details.caller_trace_id)).toEqual([trace, undefined, undefined]);
  expect(events.map(({ details }) => details.caller_request_id)).toEqual(
    traceparents.map(() => 'req_of_the_caller'),
  );
  const [first, ...others] = events;
  expect(first?.details.trace_id).toBeUndefined();
  for (const { request_id, details } of others)
    expect([request_id, details.trace_id]).toEqual([
      expect.stringMatching(/^req_[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
});

it('uses the trace in the _meta of an agent’s message if HTTP has none', async () => {
  const agents = await createAgentsScene();
  scene = agents;
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  await request(scene.app)
    .post('/mcp')
    .auth(await scene.idTokenOf('user_alice'), { type: 'bearer' })
    .send({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'con-tools_whoami', arguments: {}, _meta: { traceparent } },
    });
  const [event] = await scene.audited();
  expect([event?.details.caller_trace_id, event?.details.trace_id]).toEqual([trace, undefined]);
});

it('records a delegation for a list once for all waiting callers, and no use of a cached token', async () => {
  await start();
  const alice = await scene.idTokenOf('user_alice');
  const list = () =>
    request(scene.app).get('/api/v1/connectors/con_tools/tools').auth(alice, { type: 'bearer' });
  await Promise.all([list(), list(), list()]);
  await list();
  expect((await scene.audited()).map(summary)).toEqual([
    ['delegation.granted', 'authorization_server.token_issued', 'miss'],
  ]);
});

it('explains a denied call only to its user and to administrators of the organization', async () => {
  await start();
  const alice = await scene.idTokenOf('user_alice');
  deny();
  const callId = (await call(alice)).get('Legate-Call-Id');
  const explained = await explain(alice, callId);
  expect([explained.status, explained.body]).toEqual([
    200,
    expect.objectContaining({
      call_id: callId,
      user_id: 'user_alice',
      connector_id: 'con_tools',
      tool: 'whoami',
      outcome: 'denied',
      leg: 'idp',
      rule: 'policy_denied',
      reason: 'identity provider: access_denied',
      remedy: expect.stringContaining('administrator of the identity provider'),
    }),
  ]);
  for (const roles of [['admin'], ['owner', 'x']]) {
    const admin = await scene.idTokenOf('user_carla', { roles });
    expect((await explain(admin, callId)).body).toEqual(explained.body);
  }
  const strangers = [
    await scene.idTokenOf('user_bob'),
    await scene.idTokenOf('user_bob', { roles: ['developer', 'viewer', 'administrator'] }),
    await scene.idTokenOf('user_alice', { organization_id: 'org_globex' }),
    await scene.idTokenOf('user_gina', { organization_id: 'org_globex', roles: ['owner'] }),
  ];
  for (const stranger of strangers) {
    const answer = await explain(stranger, callId);
    expect([answer.status, answer.body.code]).toEqual([404, 'call_not_found']);
  }
});

const RESOURCE_SCOPES = 'mcp:tools:read mcp:tools:call';

it.each([
  ['idp', 'invalid_target', 'target_unknown', 'identity provider: invalid_target', 'register the resource'],
  [
    'idp',
    'invalid_scope',
    'scope_refused',
    `identity provider: invalid_scope (${RESOURCE_SCOPES})`,
    'scopes',
  ],
  [
    'authorization_server',
    'invalid_scope',
    'scope_refused',
    `tool server: invalid_scope (${RESOURCE_SCOPES})`,
    'scopes',
  ],
])('explains that %s means %s, and recommends the doctor', async (leg, error, rule, reason, remedy) => {
  await start();
  const peer = leg === 'idp' ? scene.idp : scene.toolServer;
  peer.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error }) };
  const alice = await scene.idTokenOf('user_alice');
  const answer = await call(alice);
  expect([answer.status, answer.body.code]).toEqual([403, 'delegation_denied']);
  expect(answer.body.detail).toMatch(
    rule === 'target_unknown' ? /does not know/ : /does not grant the scopes/,
  );
  const doctor = '/api/v1/connectors/con_tools/doctor';
  const { body } = await explain(alice, answer.get('Legate-Call-Id'));
  expect(body).toMatchObject({ outcome: 'denied', leg, rule, reason, doctor });
  expect(body.remedy).toContain(remedy);
  expect((await request(scene.app).post(doctor).auth(alice, { type: 'bearer' })).status).toBe(200);
});

it('returns 404 for an unknown call, and after the explanation has expired', async () => {
  await start();
  const alice = await scene.idTokenOf('user_alice');
  for (const id of ['evt_01J00000000000000000000000', 'nonsense', '%2e%2e', `evt_${'x'.repeat(5000)}`])
    expect((await explain(alice, id)).status).toBe(404);
  expect(
    (await request(scene.app).post('/api/v1/calls/evt_1/explanation').auth(alice, { type: 'bearer' })).status,
  ).toBe(405);
  const granted = (await call(alice)).get('Legate-Call-Id');
  deny();
  const denied = (await call(await scene.idTokenOf('user_bob'))).get('Legate-Call-Id');
  expect((await explain(alice, granted)).body).toMatchObject({
    outcome: 'granted',
    leg: 'authorization_server',
  });
  scene.clock.advanceSeconds(86_399);
  expect((await explain(await scene.idTokenOf('user_bob'), denied)).status).toBe(200);
  scene.clock.advanceSeconds(1);
  const answer = await explain(await scene.idTokenOf('user_bob'), denied);
  expect([answer.status, answer.body.code]).toEqual([404, 'call_not_found']);
});

it('serves calls while events can be neither stored nor delivered', async () => {
  const explanations = {
    find: async () => {
      throw new Error('away');
    },
  };
  await start({ app: { explanations } });
  const alice = await scene.idTokenOf('user_alice');
  const called = await call(alice);
  expect(called.status).toBe(200);
  const answer = await explain(alice, called.get('Legate-Call-Id'));
  expect([answer.status, answer.body.code]).toEqual([503, 'explanations_unavailable']);
});

it('contains no token, argument or result, whatever is called', async () => {
  await start();
  const alice = await scene.idTokenOf('user_alice');
  await request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .auth(alice, { type: 'bearer' })
    .send({ arguments: { secret: 'an-argument' } });
  await call(alice, encodeURIComponent(alice).slice(0, 200));
  await call(alice, 'whoami', {
    connector: alice.slice(0, 200),
    headers: { 'X-Request-Id': alice.slice(0, 60) },
  });
  const text = JSON.stringify(await scene.audited());
  for (const token of [...scene.idp.issued, ...scene.toolServer.issued])
    for (const part of [token, ...token.split('.')]) expect(text.includes(part)).toBe(false);
  expect(text).not.toMatch(/an-argument|eyJ/);
});

it.each(['modern', 'legacy'] as const)('records one event for each call of an agent, %s', async (era) => {
  const agents = await createAgentsScene();
  scene = agents;
  const alice = await scene.idTokenOf('user_alice');
  const client = await agents.connect(era, alice);
  await client.listTools();
  const done = await client.callTool({ name: 'con-tools_whoami', arguments: {} });
  deny();
  agents.toolServer.revokeAll();
  const denied = await client.callTool({ name: 'con-tools_whoami', arguments: {} });
  await expect(client.callTool({ name: 'con_tools', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  const events = await scene.audited();
  expect(events.map(summary)).toEqual([
    ['delegation.granted', 'authorization_server.token_issued', 'miss'],
    ['tool.called', 'cache.token_cached', 'hit'],
    ['tool.denied', 'idp.policy_denied', 'hit'],
    ['tool.denied', 'registry.tool_unknown', undefined],
  ]);
  expect(events.map(({ details }) => details.endpoint)).toEqual(['mcp', 'mcp', 'mcp', 'mcp']);
  const [, called, refused] = events;
  expect(done._meta?.['legate/call_id']).toBe(called?.id);
  expect(denied._meta?.['legate/call_id']).toBe(refused?.id);
  expect((await explain(alice, refused?.id)).body.rule).toBe('policy_denied');
});
