import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient, HUB_CODES, type OnElicitation } from '@legate/client';
import { hubFetch } from '@legate/client/mcp';
import { AgentId, ConnectorId } from '@legate/ids';
import { listen } from '@legate/service/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { PROBLEMS } from '../../domain/problem-codes.ts';
import { type AgentsScene, createAgentsScene } from '../../testing/agents-scene.ts';
import { createConnectScene, RETURN_TO } from '../../testing/connect-scene.ts';
import { sendJson } from '../../testing/http-server.ts';

it('the client of applications has all problem codes of the hub', () => {
  expect([...HUB_CODES].sort()).toEqual(Object.keys(PROBLEMS).sort());
});

describe('the client of applications', () => {
  let scene: AgentsScene;
  beforeEach(async () => {
    const bindings = [
      {
        connectorId: ConnectorId.parse('con_tools'),
        scopes: undefined,
        tools: ['whoami'],
        approval: 'always' as const,
      },
    ];
    scene = await createAgentsScene({
      connectorIds: ['con_tools', 'con_other'],
      agents: [{ id: AgentId.parse('agt_1'), isActive: true, bindings }],
    });
  });
  afterEach(() => scene.stop());

  interface Options {
    agentId?: string;
    openSession?: object;
    claims?: object;
    transport?: 'rest' | 'mcp';
    onElicitation?: OnElicitation;
  }
  const clientOf = (options: Options = {}) => {
    const { claims, ...others } = options;
    let asked = 0;
    const legate = createClient({
      hub: scene.url,
      idToken: () => {
        asked += 1;
        return scene.idTokenOf('user_alice', { ...claims });
      },
      ...others,
    });
    return { legate, asked: () => asked };
  };

  it('lists tools by the names that agents see at /mcp', async () => {
    const { tools, leftOut, failure } = await clientOf().legate.tools();
    const agent = await scene.connect('modern', await scene.idTokenOf('user_alice'));
    const listed = await agent.listTools();
    expect([tools.map(({ name }) => name).sort(), leftOut, failure]).toEqual([
      listed.tools.map(({ name }) => name).sort(),
      [],
      undefined,
    ]);
    expect(tools.map(({ slug, connectorId }) => `${slug} ${connectorId}`)).toContain('con-tools con_tools');
  });

  it('calls tools as the user, and those bound to an agent as the agent', async () => {
    const { legate } = clientOf({ agentId: 'agt_1' });
    const { tools } = await legate.tools();
    expect(tools.map(({ name, approval }) => [name, approval])).toEqual([['con-tools_whoami', 'required']]);
    expect(await legate.call('con-tools_whoami')).toMatchObject({
      kind: 'result',
      content: [{ type: 'text', text: 'user_alice' }],
      actsAs: 'user',
      callId: expect.stringMatching(/^evt_/),
    });
    expect(await legate.call('con-tools_echo')).toMatchObject({ kind: 'not_found', code: 'tool_not_found' });
  });

  it('asks for an ID token once more when it has expired', async () => {
    const { legate, asked } = clientOf();
    await legate.call('con-tools_whoami');
    scene.clock.advanceSeconds(7200);
    expect([(await legate.call('con-tools_whoami')).kind, asked()]).toEqual(['result', 2]);
  });

  it('asks for an ID token once more when the user has signed in again', async () => {
    const { legate, asked } = clientOf();
    await legate.call('con-tools_whoami');
    await clientOf().legate.end();
    scene.clock.advanceSeconds(5);
    expect([(await legate.call('con-tools_whoami')).kind, asked()]).toEqual(['result', 2]);
  });

  it('opens a session that is bound to the agent, opens another when it has ended, and ends it', async () => {
    const { legate, asked } = clientOf({ agentId: 'agt_1', openSession: {} });
    expect((await legate.call('con-tools_whoami')).kind).toBe('result');
    scene.clock.advanceSeconds(7200); // no refresh token: a session ends with its ID token
    expect([(await legate.call('con-tools_whoami')).kind, asked()]).toEqual(['result', 2]);
    expect(await legate.end()).toEqual({ kind: 'ended' });
    expect(await legate.call('con-tools_whoami')).toMatchObject({ kind: 'sign_in_required' });
    const { actor, details } =
      (await scene.audited()).findLast(({ action }) => action === 'tool.called') ?? {};
    expect([actor?.id, details?.agent_authenticated]).toEqual(['user_alice', true]);
  });

  it('reports who denied a call, and why', async () => {
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
    const { legate } = clientOf();
    const outcome = await legate.call('con-tools_whoami');
    if (outcome.kind !== 'denied') throw new Error(outcome.kind);
    expect([outcome.code, outcome.who, outcome.requiredScope]).toEqual([
      'delegation_denied',
      'identity_provider',
      'mcp:tools:read mcp:tools:call',
    ]);
    scene.idp.misbehaviour = {};
    await legate.tools();
    scene.toolServer.requiredScopes.set('whoami', ['admin']);
    const denied = await legate.call('con-tools_whoami');
    if (denied.kind !== 'denied') throw new Error(denied.kind);
    expect(await denied.explain()).toMatchObject({
      kind: 'explanation',
      callId: denied.callId,
      connectorId: 'con_tools',
      outcome: 'denied',
    });
  });

  it('reports the same outcomes over MCP, except for texts and call ids', async () => {
    const agentId = 'agt_1';
    const [rest, mcp] = [clientOf({ agentId }).legate, clientOf({ agentId, transport: 'mcp' }).legate];
    const [byRest, byMcp] = [await rest.tools(), await mcp.tools()];
    expect(byMcp.tools).toEqual(byRest.tools);
    const outcomes = async (tool: string, args = {}) => {
      const [one, other] = [await rest.call(tool, args), await mcp.call(tool, args)];
      return [one, other].map((outcome) => ({ ...outcome, callId: undefined, detail: '', errors: [] }));
    };
    const [result, sameResult] = await outcomes('con-tools_whoami');
    expect(result).toMatchObject({ kind: 'result', content: [{ text: 'user_alice' }] });
    expect(sameResult).toEqual(result);
    const [unknown, sameUnknown] = await outcomes('con-tools_echo');
    expect([unknown, sameUnknown?.kind]).toEqual([
      expect.objectContaining({ kind: 'not_found' }),
      'not_found',
    ]);

    scene.toolServer.requiredScopes.set('whoami', ['admin']);
    const [denied, sameDenied] = await outcomes('con-tools_whoami');
    const withoutHints = { hints: undefined, explain: undefined };
    expect(denied).toMatchObject({ kind: 'denied', code: 'delegation_denied' });
    expect({ ...sameDenied, ...withoutHints }).toEqual({ ...denied, ...withoutHints });
    const explained = await mcp.call('con-tools_whoami');
    if (explained.kind !== 'denied') throw new Error(explained.kind);
    expect(await explained.explain()).toMatchObject({ kind: 'explanation', callId: explained.callId });
  });

  it('reports invalid arguments and tokens over MCP', async () => {
    const { legate } = clientOf({ transport: 'mcp' });
    expect(await legate.call('con-tools_notes')).toMatchObject({
      kind: 'invalid',
      code: 'invalid_arguments',
    });
    scene.clock.advanceSeconds(7200);
    expect((await legate.call('con-tools_whoami')).kind).toBe('result');
    expect(await clientOf({ transport: 'mcp', claims: { aud: 'x' } }).legate.tools()).toMatchObject({
      failure: { kind: 'sign_in_required', reason: 'wrong_audience' },
    });
  });

  it.each(['rest', 'mcp'] as const)('names the invalid field of a request over %s', async (transport) => {
    const { failure } = await clientOf({ agentId: 'my agent', transport }).legate.tools();
    expect(failure).toMatchObject({
      kind: 'invalid',
      code: 'validation_failed',
      detail: expect.stringMatching(/1 field is invalid\. Legate-Agent-Id: Must be the id of an agent\.$/),
      errors: [{ header: 'Legate-Agent-Id', code: 'invalid_format' }],
    });
  });

  it('authenticates the official MCP client, and renews its token', async () => {
    const { legate, asked } = clientOf({ agentId: 'agt_1' });
    const client = new Client({ name: 'agent', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${scene.url}/mcp`), {
      fetch: hubFetch(legate),
    });
    await client.connect(transport);
    const { tools } = await client.listTools();
    scene.clock.advanceSeconds(7200);
    const { content } = await client.callTool({ name: 'con-tools_whoami', arguments: {} });
    await client.close();
    expect([tools.map(({ name }) => name), content, asked()]).toEqual([
      ['con-tools_whoami'],
      [{ type: 'text', text: 'user_alice' }],
      2,
    ]);
  });

  it('reports invalid arguments and tokens', async () => {
    expect(await clientOf().legate.call('con-tools_notes')).toMatchObject({
      kind: 'invalid',
      code: 'invalid_arguments',
      errors: [{ pointer: '/arguments' }],
    });
    expect(await clientOf({ claims: { aud: 'another' } }).legate.call('con-tools_notes')).toMatchObject({
      kind: 'sign_in_required',
      reason: 'wrong_audience',
    });
  });
});

it('gives the client a link by which the user connects an account', async () => {
  const scene = await createConnectScene();
  const server = await listen(scene.app);
  try {
    const idToken = await scene.idTokenOf('user_alice');
    const legate = createClient({ hub: server.url, idToken: () => idToken });
    const { leftOut } = await legate.tools();
    expect(leftOut).toMatchObject([
      { connectorId: 'con_notes', connectorName: 'Notes', failure: { kind: 'connection_required' } },
    ]);
    const outcome = await legate.call('con-notes_whoami');
    if (outcome.kind !== 'connection_required') throw new Error(outcome.kind);
    expect(outcome.connectorName).toBe('Notes');
    expect(await outcome.connect({ returnTo: RETURN_TO })).toMatchObject({
      kind: 'link',
      authorizeUrl: expect.stringContaining('/oauth/connect/con_notes?ticket='),
      expiresAt: expect.any(Date),
    });
    expect(await outcome.connect({ returnTo: 'https://evil.example' })).toMatchObject({
      kind: 'invalid',
      errors: [{ pointer: '/return_to', code: 'invalid_enum' }],
    });
  } finally {
    await server.stop();
    await scene.stop();
  }
});
