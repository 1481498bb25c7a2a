import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, ConnectorId } from '@legate/ids';
import { type AgentsScene, createAgentsScene } from '../../testing/agents-scene.ts';
import { scriptedMcp } from '../../testing/scripted-mcp.ts';
import type { Era } from './agent-request.ts';

let scene: AgentsScene;
let alice: string;
/** Completion requests that the tool server got */
let asked: unknown[];

beforeEach(async () => {
  asked = [];
  const bindings = [{ connectorId: ConnectorId.parse('con_tools'), scopes: undefined, tools: ['whoami'] }];
  scene = await createAgentsScene({ agents: [{ id: AgentId.parse('agt_1'), isActive: true, bindings }] });
  alice = await scene.idTokenOf('user_alice');
  scene.toolServer.misbehaviour = {
    mcp: scriptedMcp({
      'prompts/list': () => ({ prompts: [{ name: 'ask.me', arguments: [{ name: 'city' }] }] }),
      'completion/complete': ({ params }) => {
        const { ref, argument, context } = params;
        asked.push({ ref, argument, context });
        return { completion: { values: ['Paris', 'Porto'], total: 2, hasMore: false } };
      },
    }),
  };
});
afterEach(() => scene.stop());

const ARGUMENT = { name: 'city', value: 'P' };

describe.each<Era>(['modern', 'legacy'])('an agent of the %s era', (era) => {
  it.each([
    ['a prompt', { type: 'ref/prompt', name: 'con-tools_greet' }, { type: 'ref/prompt', name: 'greet' }],
    [
      'a resource template',
      { type: 'ref/resource', uri: 'legate://con-tools/notes://{id}' },
      { type: 'ref/resource', uri: 'notes://{id}' },
    ],
  ] as const)('is told values for an argument of %s', async (_case, ref, own) => {
    const client = await scene.connect(era, alice);
    const context = { arguments: { country: 'FR' } };
    const { completion } = await client.complete({ ref, argument: ARGUMENT, context });
    expect(completion.values).toEqual(['Paris', 'Porto']);
    expect(asked).toEqual([{ ref: own, argument: ARGUMENT, context }]);
  });

  it('gets suggestions for a prompt that is listed with a hashed name', async () => {
    const client = await scene.connect(era, alice);
    const [prompt] = (await client.listPrompts()).prompts;
    expect(prompt?.name).toMatch(/^con-tools_ask_me--/);
    await client.complete({ ref: { type: 'ref/prompt', name: prompt?.name ?? '' }, argument: ARGUMENT });
    expect(asked).toMatchObject([{ ref: { name: 'ask.me' } }]);
  });

  it.each([
    ['a prompt of no connector', { type: 'ref/prompt', name: 'other_greet' }],
    ['a resource of no connector', { type: 'ref/resource', uri: 'legate://other/a:b' }],
  ] as const)('is refused for %s', async (_case, ref) => {
    const client = await scene.connect(era, alice);
    await expect(client.complete({ ref, argument: ARGUMENT })).rejects.toMatchObject({ code: -32602 });
    expect(asked).toEqual([]);
  });

  it('gets an error if the tool server has no such method', async () => {
    scene.toolServer.misbehaviour = { mcp: scriptedMcp({}) };
    const client = await scene.connect(era, alice);
    const ref = { type: 'ref/prompt', name: 'con-tools_greet' } as const;
    // In the modern era the error is an HTTP 404, for which the SDK has its own error.
    const code = era === 'modern' ? 'CLIENT_HTTP_NOT_IMPLEMENTED' : -32601;
    await expect(client.complete({ ref, argument: ARGUMENT })).rejects.toMatchObject({ code });
  });
});

it.each([undefined, 'x', { type: 'ref/tool', name: 'con-tools_whoami' }, { type: 'ref/prompt', name: 7 }])(
  'refuses the reference %j',
  async (ref) => {
    const answer = await scene.post(
      { jsonrpc: '2.0', id: 1, method: 'completion/complete', params: { ref, argument: ARGUMENT } },
      { token: alice, headers: { 'MCP-Protocol-Version': '2025-11-25' } },
    );
    expect((await answer.json()).error.code).toBe(-32602);
  },
);

it('is not available to an agent that is bound to single tools', async () => {
  const ref = { type: 'ref/prompt', name: 'con-tools_greet' };
  const answer = await scene.post(
    { jsonrpc: '2.0', id: 1, method: 'completion/complete', params: { ref, argument: ARGUMENT } },
    { token: alice, headers: { 'MCP-Protocol-Version': '2025-11-25', 'Legate-Agent-Id': 'agt_1' } },
  );
  expect([(await answer.json()).error.code, asked]).toEqual([-32602, []]);
});
