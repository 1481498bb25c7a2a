import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AgentsScene, createAgentsScene } from '../../testing/agents-scene.ts';
import { type ScriptedRequest, scriptedMcp, tools } from '../../testing/scripted-mcp.ts';

let scene: AgentsScene;
let alice: string;
beforeAll(async () => {
  scene = await createAgentsScene();
});
beforeEach(async () => {
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.clock.advanceSeconds(3601)); // the hub detects the era of a server again
afterAll(() => scene.stop());

const UI = 'io.modelcontextprotocol/ui';
const HUB = 'io.modelcontextprotocol/enterprise-managed-authorization';
const ui = { [UI]: { mimeTypes: ['text/html;profile=mcp-app'] } };
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

async function modern(method: string, params: Record<string, unknown>, extensions: unknown) {
  const meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: { extensions } };
  const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
  const name = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {};
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  return (await scene.post(message, { token: alice, headers: { ...headers, ...name } })).json();
}

/** Returns an agent of the older revisions after its handshake. */
async function legacy(extensions: object | undefined, token = alice) {
  const capabilities = { ...(extensions && { extensions }) };
  const begun = await scene.post(
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities } },
    { token },
  );
  const session = begun.headers.get('mcp-session-id') ?? '';
  const call = async (method: string, params: object, as = token) => {
    const headers = { 'MCP-Protocol-Version': '2025-11-25', 'Mcp-Session-Id': session };
    return (await scene.post({ jsonrpc: '2.0', id: 2, method, params }, { token: as, headers })).json();
  };
  return { session, call };
}

/** Records the client extensions in each request that a tool server gets. */
function watch(server: 'modern' | 'legacy') {
  const seen: unknown[] = [];
  const note = ({ params }: ScriptedRequest) => {
    const meta = params._meta?.[CAPABILITIES] ?? {};
    if (typeof meta === 'object' && meta !== null && 'extensions' in meta) seen.push(meta.extensions);
  };
  const answer = scriptedMcp(
    {
      'tools/call': (request) => {
        note(request);
        return { content: [] };
      },
      'tools/list': (request) => {
        note(request);
        return { ...tools('x'), ttlMs: 60_000 };
      },
    },
    server,
  );
  scene.toolServer.misbehaviour = {
    mcp: (req, res, body) => {
      const { method, params } = JSON.parse(body);
      if (method === 'initialize') seen.push(params.capabilities.extensions);
      return answer(req, res, body);
    },
  };
  return seen;
}

const CALL = { name: 'con-tools_x', arguments: {} };

describe('extensions that an agent declares', () => {
  it('reach the tool server with each request, together with the hub\u2019s own, which they cannot change', async () => {
    const seen = watch('modern');
    const declared = { ...ui, [HUB]: { theirs: 1 }, 'io.modelcontextprotocol/tasks': {} };
    await modern('tools/call', CALL, declared);
    await modern('tools/list', {}, declared);
    await modern('tools/call', CALL, undefined);
    expect(seen).toEqual([{ ...ui, [HUB]: {} }, { ...ui, [HUB]: {} }, { [HUB]: {} }]);
  });

  it('have a separate cached list, because a tool server may vary its list by them', async () => {
    const seen = watch('modern');
    for (const declared of [ui, undefined, ui, {}, undefined]) await modern('tools/list', {}, declared);
    expect(seen).toEqual([{ ...ui, [HUB]: {} }, { [HUB]: {} }]);
  });

  it('reach a tool server of an older revision through a separate handshake', async () => {
    const seen = watch('legacy');
    await modern('tools/call', CALL, ui);
    await modern('tools/call', CALL, undefined);
    await modern('tools/call', CALL, ui);
    expect(seen).toEqual([{ ...ui, [HUB]: {} }, { [HUB]: {} }]);
  });

  it('are refused beyond 4 KiB', async () => {
    const { error } = await modern('tools/call', CALL, { a: { text: 'x'.repeat(4096) } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('4096 bytes') });
  });

  it.each(['modern', 'legacy'] as const)(
    'reach a %s tool server also where the agent declares them in its handshake, in its own name only',
    async (server) => {
      const seen = watch(server);
      const agent = await legacy(ui);
      await agent.call('tools/call', CALL);
      expect(seen).toEqual([{ ...ui, [HUB]: {} }]);
      await agent.call('tools/call', CALL, await scene.idTokenOf('user_bob'));
      expect(seen.at(-1)).toEqual({ [HUB]: {} });
    },
  );

  it('do not authenticate: a session id without a token is refused', async () => {
    const { session } = await legacy(ui);
    const answer = await scene.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { headers: { 'Mcp-Session-Id': session } },
    );
    expect([session.slice(0, 4), answer.status]).toEqual(['lms_', 401]);
  });
});
