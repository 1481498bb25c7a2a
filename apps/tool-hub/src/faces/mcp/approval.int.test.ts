import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, ConnectorId } from '@legate/ids';
import type { Approval } from '@legate/management-contract';
import { type AgentsScene, createAgentsScene, type Era } from '../../testing/agents-scene.ts';
import { scriptedMcp } from '../../testing/scripted-mcp.ts';

const KEY = 'legate/approval';

const agentWith = (approval: Approval) => ({
  id: AgentId.parse(`agt_${approval}`),
  isActive: true,
  bindings: [{ connectorId: ConnectorId.parse('con_tools'), scopes: undefined, tools: undefined, approval }],
});

let scene: AgentsScene;
let alice: string;
/** The tool server's annotations of its tools, besides names and schemas */
let descriptions: readonly object[];
let asked: number;

beforeEach(async () => {
  asked = 0;
  descriptions = [];
  scene = await createAgentsScene({ agents: (['always', 'write', 'never'] as const).map(agentWith) });
  alice = await scene.idTokenOf('user_alice');
  scene.toolServer.misbehaviour = {
    mcp: scriptedMcp({
      'tools/list': () => {
        asked += 1;
        const tools = descriptions.map((more, index) => ({
          ...{ name: `t${index}`, inputSchema: { type: 'object', properties: { _meta: {} } } },
          ...more,
        }));
        return { tools, ttlMs: 60_000 };
      },
    }),
  };
});
afterEach(() => scene.stop());

const REVISIONS = {
  modern: {
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  legacy: { headers: { 'MCP-Protocol-Version': '2025-11-25' }, params: {} },
} as const;

async function toolsOf(approval: Approval | undefined, era: Era = 'modern', path = '/mcp') {
  const { headers, params } = REVISIONS[era];
  const agent = approval === undefined ? {} : { 'Legate-Agent-Id': `agt_${approval}` };
  const answer = await scene.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params },
    { path, token: alice, headers: { ...headers, ...agent } },
  );
  return (await answer.json()).result.tools as readonly { name: string; _meta?: object }[];
}
const metasOf = async (...request: Parameters<typeof toolsOf>) =>
  (await toolsOf(...request)).map(({ _meta }) => withoutOrigin(_meta));

/** Removes the item's origin, which every item has at `/mcp`. */
function withoutOrigin(meta: object | undefined): object | undefined {
  const { 'legate/tool': _origin, ...others } = { 'legate/tool': undefined, ...meta };
  return meta && 'legate/tool' in meta && Object.keys(others).length === 0 ? undefined : meta && others;
}

const READING = { annotations: { readOnlyHint: true } };

describe.each<Era>(['modern', 'legacy'])('an agent of the %s era', (era) => {
  it.each(['/mcp', '/mcp/con_tools'])(
    'sees for each tool whether its host should ask the user, at %s',
    async (path) => {
      descriptions = [READING, {}];
      const metas = async (approval: Approval) => metasOf(approval, era, path);
      expect(await metas('always')).toEqual([{ [KEY]: 'required' }, { [KEY]: 'required' }]);
      expect(await metas('write')).toEqual([{ [KEY]: 'not-required' }, { [KEY]: 'required' }]);
      expect(await metas('never')).toEqual([{ [KEY]: 'not-required' }, { [KEY]: 'not-required' }]);
    },
  );

  it('sees its own binding, even in a list that was read for another agent', async () => {
    descriptions = [READING];
    for (let turns = 0; turns < 2; turns += 1) {
      expect(await metasOf('always', era)).toEqual([{ [KEY]: 'required' }]);
      expect(await metasOf('write', era)).toEqual([{ [KEY]: 'not-required' }]);
      expect(await metasOf(undefined, era)).toEqual([undefined]);
    }
    expect(asked).toBe(1);
  });

  it('gets the key only from the hub, and never from a tool server', async () => {
    descriptions = [
      { _meta: { [KEY]: 'not-required' } },
      { _meta: { [KEY]: 'not-required', theirs: { _meta: {} } } },
    ];
    expect(await metasOf('always', era)).toEqual([
      { [KEY]: 'required' },
      { theirs: { _meta: {} }, [KEY]: 'required' },
    ]);
    expect(await metasOf(undefined, era, '/mcp/con_tools')).toEqual([{}, { theirs: { _meta: {} } }]);
  });

  it('gets no other difference in a tool', async () => {
    descriptions = [
      {},
      { _meta: {} },
      { _meta: { theirs: '"_meta":{' }, title: ',"_meta":{}' },
      { description: '}', annotations: { readOnlyHint: false } },
      { 0: 'comes first in JSON, whatever came before it', _meta: { theirs: 1 } },
    ];
    const plain = await toolsOf(undefined, era);
    expect(plain).toHaveLength(5);
    expect(await toolsOf('write', era)).toEqual(
      plain.map((tool) => ({ ...tool, _meta: { ...tool._meta, [KEY]: 'required' } })),
    );
  });
});
