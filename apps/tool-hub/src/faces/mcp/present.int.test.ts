import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, ConnectorId } from '@legate/ids';
import { type AgentsScene, createAgentsScene, type Era } from '../../testing/agents-scene.ts';
import { sendJson } from '../../testing/http-server.ts';
import { type Script, scriptedMcp, tools } from '../../testing/scripted-mcp.ts';

const INFO = { name: 'notes', version: '2.1', title: 'Notes' };
const DESCRIPTION = {
  capabilities: { tools: { listChanged: true }, logging: {}, extensions: { 'example/ui': { a: 1 } } },
  instructions: 'Search before you write.',
};
const INFO_KEY = 'io.modelcontextprotocol/serverInfo';

let scene: AgentsScene;
let alice: string;
let asked: string[];
/** Milliseconds for which a modern tool server allows its description to be cached */
let ttlMs: number;

beforeEach(async () => {
  asked = [];
  ttlMs = 60_000;
  await start({ listTimeoutMs: 30_000 }); // longer than any request of these tests takes on a slow machine
});
afterEach(() => scene.stop());

async function start(app: { listTimeoutMs: number }): Promise<void> {
  const binding = { connectorId: ConnectorId.parse('con_tools'), scopes: undefined, approval: undefined };
  const toOneTool = { id: AgentId.parse('agt_x'), isActive: true };
  scene = await createAgentsScene({
    connectorIds: ['con_tools', 'con_other'],
    app,
    agents: [{ ...toOneTool, bindings: [{ ...binding, tools: ['x'] }] }],
  });
  alice = await scene.idTokenOf('user_alice');
}

const script: Script = {
  'tools/list': () => tools('x'),
  'server/discover': ({ params }) => {
    asked.push(JSON.stringify(params._meta?.['io.modelcontextprotocol/clientCapabilities']));
    return { ...DESCRIPTION, supportedVersions: ['2026-07-28'], ttlMs, _meta: { [INFO_KEY]: INFO } };
  },
};

/** Makes a tool server of either era describe itself. */
function serve(era: Era): void {
  const rest = scriptedMcp(script, era);
  scene.toolServer.misbehaviour = {
    mcp: (req, res, body) => {
      const { id, method, params } = JSON.parse(body);
      if (era === 'modern' || method !== 'initialize') return rest(req, res, body);
      asked.push(JSON.stringify(params.capabilities));
      const result = { ...DESCRIPTION, protocolVersion: '2025-06-18', serverInfo: INFO };
      sendJson(res, 200, { jsonrpc: '2.0', id, result }, { 'Mcp-Session-Id': `session-${asked.length}` });
    },
  };
}

const CAPABILITIES = { extensions: { 'example/client': {} } };
const REQUESTS = {
  modern: {
    method: 'server/discover',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
      },
    },
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' },
  },
  legacy: {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: CAPABILITIES },
    headers: {},
  },
};

async function describedTo(era: Era, path = '/mcp/con_tools', more: Record<string, string> = {}) {
  const { method, params, headers } = REQUESTS[era];
  const message = { jsonrpc: '2.0', id: 1, method, params };
  const answer = await scene.post(message, { path, token: alice, headers: { ...headers, ...more } });
  expect(answer.status).toBe(200);
  const { result } = (await answer.json()) as unknown as { result: Record<string, unknown> };
  const _meta = { ...(result._meta as Record<string, unknown> | undefined) };
  return { ...result, _meta, info: result.serverInfo ?? _meta[INFO_KEY] };
}

const ERAS: readonly [Era, Era][] = [
  ['modern', 'modern'],
  ['modern', 'legacy'],
  ['legacy', 'modern'],
  ['legacy', 'legacy'],
];

describe.each(ERAS)(
  'an agent of the %s era at one connector, of a tool server of the %s era',
  (era, serverEra) => {
    beforeEach(() => serve(serverEra));

    it('gets the name and instructions of the tool server, and the information that the hub is in between', async () => {
      expect(await describedTo(era)).toMatchObject({
        info: INFO,
        instructions: 'Search before you write.',
        capabilities: {
          tools: { listChanged: era === 'modern' && serverEra === 'modern' },
          ...(era === 'modern' && { logging: {} }),
          extensions: { 'example/ui': { a: 1 } },
        },
        _meta: { 'legate/via': { name: 'legate-tool-hub', connector_id: 'con_tools' } },
      });
    });

    it('gets only the capabilities of both the tool server and the hub', async () => {
      const { capabilities } = (await describedTo(era)) as { capabilities?: object };
      expect(Object.keys(capabilities ?? {})).toEqual([
        'tools',
        ...(era === 'modern' ? ['logging'] : []),
        'extensions',
      ]);
    });

    it('has its extensions sent to the tool server', async () => {
      await describedTo(era);
      expect(asked).toEqual([expect.stringContaining('"example/client"')]);
    });

    it('gets the description from the cache within a minute', async () => {
      await describedTo(era); // with a new token, whose description is found from the next request on
      await describedTo(era);
      const before = asked.length;
      const again = await describedTo(era);
      expect([again.info, asked.length]).toEqual([INFO, before]);
      scene.clock.advanceSeconds(61);
      await describedTo(era);
      expect(asked.length).toBe(before + 1);
    });
  },
);

describe.each<Era>(['modern', 'legacy'])('an agent of the %s era', (era) => {
  it('causes a new request if the tool server does not allow its description to be cached', async () => {
    ttlMs = 0;
    serve('modern');
    for (let i = 0; i < 3; i += 1) await describedTo(era);
    expect(asked).toHaveLength(3);
  });

  it('gets only the capability of tools if it is bound to single tools', async () => {
    scene.toolServer.misbehaviour = {
      mcp: scriptedMcp({
        'server/discover': () => ({ capabilities: { tools: {}, prompts: {}, resources: {} } }),
      }),
    };
    const { capabilities } = (await describedTo(era, '/mcp/con_tools', { 'Legate-Agent-Id': 'agt_x' })) as {
      capabilities?: object;
    };
    expect(Object.keys(capabilities ?? {})).toEqual(['tools']);
  });

  it.each<[string, () => void, string]>([
    ['is down', () => void scene.toolServer.stop(), 'tool_server_unavailable'],
    ['does not describe itself', () => serveScript({ 'server/discover': refuse }), 'tool_server_error'],
    ['reveals its token', () => serveScript({ 'server/discover': revealToken }), 'tool_server_error'],
  ])(
    'connects although the tool server %s, and gets the reason why the hub describes itself instead',
    async (_case, prepare, code) => {
      prepare();
      expect(await describedTo(era)).toMatchObject({
        info: { name: 'legate-tool-hub' },
        _meta: { 'legate/problem': { code, connector_id: 'con_tools' } },
      });
    },
  );

  it('connects although the tool server never answers, and gets the reason why the hub describes itself instead', async () => {
    await scene.stop();
    await start({ listTimeoutMs: 1000 });
    serveScript({ 'server/discover': () => undefined });
    expect(await describedTo(era)).toMatchObject({
      _meta: { 'legate/problem': { code: 'tool_server_unavailable', connector_id: 'con_tools' } },
    });
  });

  it('gets nothing about a tool server at /mcp except its short name', async () => {
    serve('modern');
    const { info, instructions } = (await describedTo(era, '/mcp')) as {
      info: object;
      instructions?: string;
    };
    expect([info, asked]).toEqual([expect.objectContaining({ name: 'legate-tool-hub' }), []]);
    expect(instructions).toContain('con-tools: ');
    expect(instructions).toContain('con-other: ');
  });

  it('has its request counted at the path of one connector, and not at /mcp', async () => {
    serve('modern');
    const { method, params, headers } = REQUESTS[era];
    const remaining = async (path: string) => {
      const answer = await scene.post(
        { jsonrpc: '2.0', id: 1, method, params },
        { path, token: alice, headers },
      );
      return answer.headers.get('x-ratelimit-remaining');
    };
    expect([await remaining('/mcp'), await remaining('/mcp/con_tools')]).toEqual([null, expect.any(String)]);
  });
});

const serveScript = (of: Script): void => {
  scene.toolServer.misbehaviour = { mcp: scriptedMcp(of) };
};
const refuse: Script[string] = () => ({ error: { code: -32601, message: 'no' } });
const revealToken: Script[string] = ({ headers }) => ({
  instructions: `use ${headers.authorization?.slice(7)}`,
});

it('connects the official client, which knows the instructions of the tool server', async () => {
  serve('modern');
  const client = await scene.connect('modern', alice, '/mcp/con_tools');
  expect([client.getServerVersion(), client.getInstructions()]).toEqual([INFO, 'Search before you write.']);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['x']);
});
