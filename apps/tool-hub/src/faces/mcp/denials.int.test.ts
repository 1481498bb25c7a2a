import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { AgentId, ConnectorId } from '@legate/ids';
import { type AgentsScene, createAgentsScene } from '../../testing/agents-scene.ts';

let scene: AgentsScene;
let alice: string;
beforeEach(async () => {
  const bindings = [{ connectorId: ConnectorId.parse('con_tools'), scopes: undefined, tools: ['whoami'] }];
  scene = await createAgentsScene({
    connectorIds: ['con_tools', 'con_other'],
    agents: [
      { id: AgentId.parse('agt_1'), isActive: true, bindings },
      { id: AgentId.parse('agt_off'), isActive: false, bindings },
    ],
  });
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

const call = (name: string, options: { agent: string; path?: string; meta?: object }) =>
  scene.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: options.meta } },
    {
      token: alice,
      path: options.path ?? '/mcp/con_tools',
      headers: { 'MCP-Protocol-Version': '2025-11-25', 'Legate-Agent-Id': options.agent },
    },
  );

it.each([
  ['a tool that is not bound', 'echo', 'agt_1', '/mcp/con_tools', -32602],
  ['a connector that is not bound', 'whoami', 'agt_1', '/mcp/con_other', 404],
  ['an agent that is not active', 'whoami', 'agt_off', '/mcp/con_tools', 403],
])('names the administrator who can permit %s', async (_case, name, agent, path, code) => {
  const answer = await call(name, { agent, path });
  const { error } = await answer.json();
  expect([error.code, error.data.authorization]).toEqual([
    code,
    {
      reason: 'insufficient_authorization',
      remediation: 'out_of_band',
      authorizationContextId: answer.headers.get('legate-call-id'),
      remediationHints: [{ type: 'legate/administrator', where: 'organization', agent_id: agent }],
    },
  ]);
});

it('gives applications the same information as agents', async () => {
  const answer = await scene.post(
    {},
    {
      token: alice,
      path: '/api/v1/connectors/con_other/tools/whoami/call',
      headers: { 'Legate-Agent-Id': 'agt_1' },
    },
  );
  expect([answer.status, await answer.json()]).toEqual([
    404,
    expect.objectContaining({
      code: 'connector_not_found',
      authorization: {
        reason: 'insufficient_authorization',
        remediation: 'out_of_band',
        authorizationContextId: answer.headers.get('legate-call-id'),
        remediationHints: [{ type: 'legate/administrator', where: 'organization', agent_id: 'agt_1' }],
      },
    }),
  ]);
});

it('does not call it a denial if a connector or tool does not exist', async () => {
  const unknown = [
    await call('whoami', { agent: 'agt_1', path: '/mcp/con_nobody' }),
    await call('con-nobody_whoami', { agent: 'agt_1', path: '/mcp' }),
  ];
  for (const answer of unknown) expect(await answer.text()).not.toContain('authorization');
});

it('records which denied call is repeated, without any effect on the decision', async () => {
  const denied = await call('echo', { agent: 'agt_1' });
  const id = denied.headers.get('legate-call-id') ?? '';
  const repeat = async (contextId: string) =>
    (
      await call('echo', {
        agent: 'agt_1',
        meta: { 'io.modelcontextprotocol/authorization-context-id': contextId },
      })
    ).json();
  expect((await repeat(id)).error.code).toBe(-32602);
  await repeat('another');
  const events = await scene.audited();
  expect(events.map(({ details }) => [details.rule, details.retry_of])).toEqual([
    ['tool_not_bound', undefined],
    ['tool_not_bound', id],
    ['tool_not_bound', undefined],
  ]);
});
