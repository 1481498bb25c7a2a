import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, ConnectorId } from '@legate/ids';
import { type AgentsScene, createAgentsScene } from '../../testing/agents-scene.ts';
import { type Handler, sendJson } from '../../testing/http-server.ts';
import { type Script, scriptedMcp, tools } from '../../testing/scripted-mcp.ts';

let scene: AgentsScene;
let alice: string;

async function open(options: Parameters<typeof createAgentsScene>[0] = {}) {
  scene = await createAgentsScene(options);
  alice = await scene.idTokenOf('user_alice');
}
beforeEach(() => open({ connectorIds: ['con_b', 'con_tools', 'con_a'] }));
afterEach(() => scene.stop());

const serve = (id: string, mcp: Handler) => {
  const server = scene.servers.get(id);
  if (server) server.misbehaviour = { mcp };
};
const script = (id: string, methods: Script, era?: 'legacy') => serve(id, scriptedMcp(methods, era));

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function list(method = 'tools/list', params: object = {}, options: object = {}) {
  const answer = await scene.post(
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
    { token: alice, ...options, headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method } },
  );
  const { result, error } = await answer.json();
  return { status: answer.status, result, error, leftOut: result?._meta['legate/left_out'] };
}
const namesOf = (result: { tools: readonly { name: string }[] }) => result.tools.map(({ name }) => name);

describe('the list of tools', () => {
  it('has the tools of all connectors, in the order of the connectors’ ids, and is the same each time', async () => {
    const { result, leftOut } = await list();
    expect(namesOf(result)).toEqual(
      ['con-a', 'con-b', 'con-tools'].flatMap((slug) => [`${slug}_whoami`, `${slug}_notes`]),
    );
    expect(leftOut).toEqual([]);
    expect((await list()).result).toEqual(result);
  });

  it('is empty for an organization without connectors', async () => {
    alice = await scene.idTokenOf('user_carol', { organization_id: 'org_globex' });
    expect((await list()).result.tools).toEqual([]);
  });

  it('changes only the name of a tool, and contains its origin', async () => {
    const { result } = await list('tools/list', {}, { path: '/mcp/con_a' });
    expect(namesOf(result)).toEqual(['whoami', 'notes']);
    const { result: all } = await list();
    const origin = { connector_id: 'con_a', slug: 'con-a', name: 'notes' };
    const renamed = { ...result.tools[1], name: 'con-a_notes', _meta: { 'legate/tool': origin } };
    expect(all.tools[1]).toEqual(renamed);
  });

  it('is private, and is fresh for as long as the list that expires first', async () => {
    script('con_a', { 'tools/list': () => ({ ...tools('x'), ttlMs: 30_000, cacheScope: 'public' }) });
    script('con_b', { 'tools/list': () => ({ ...tools('x'), ttlMs: 9_999_999, cacheScope: 'public' }) });
    script('con_tools', { 'tools/list': () => ({ ...tools('x'), ttlMs: 20_000.7 }) });
    expect((await list()).result).toMatchObject({ ttlMs: 20_000, cacheScope: 'private' });
    scene.clock.advanceSeconds(20);
    script('con_tools', { 'tools/list': () => tools('x') });
    expect((await list()).result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  it('reports that a connector is unusable, but not why', async () => {
    await scene.stop();
    await open({ faults: { con_odd: 'a secret reason' } });
    const { leftOut, result } = await list();
    expect(leftOut).toEqual([{ connector_id: 'con_odd', code: 'connector_misconfigured' }]);
    expect(namesOf(result)).toEqual(['con-tools_whoami', 'con-tools_notes']);
  });
});

describe('omits a failing connector without affecting others:', () => {
  const big = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [] } }).padEnd(200_000, ' ');
  it.each<[string, Handler, string]>([
    ['it is down', (_req, res) => res.destroy(), 'tool_server_unavailable'],
    ['it is overloaded', (_req, res) => res.writeHead(503).end(), 'tool_server_unavailable'],
    ['it fails', (_req, res) => res.writeHead(500).end(), 'tool_server_error'],
    [
      'it redirects',
      (_req, res) => res.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
      'tool_server_error',
    ],
    ['it sends a page', (_req, res) => res.writeHead(200).end('<p>'), 'tool_server_error'],
    ['it sends too much', (_req, res) => res.writeHead(200).end(big), 'tool_server_error'],
    ['it refuses the user', (_req, res) => res.writeHead(403).end(), 'tool_forbidden'],
    ['it refuses its own tokens', (_req, res) => res.writeHead(401).end(), 'connector_misconfigured'],
    [
      'it answers another request',
      (_req, res) => sendJson(res, 200, { jsonrpc: '2.0', id: 999_999, result: tools('x') }),
      'tool_server_error',
    ],
    [
      'its list is none',
      scriptedMcp({ 'tools/list': () => ({ tools: 'all of them' }) }),
      'tool_server_error',
    ],
    [
      'it asks a question',
      scriptedMcp({ 'tools/list': () => ({ resultType: 'input_required' }) }),
      'tool_server_error',
    ],
    [
      'it says that we lack a header',
      scriptedMcp({ 'tools/list': () => ({ error: { code: -32020, message: 'x' } }) }),
      'tool_server_error',
    ],
    [
      'it says that we are too old',
      scriptedMcp({ 'tools/list': () => ({ error: { code: -32022, message: 'x' } }) }),
      'tool_server_error',
    ],
  ])('%s', async (_case, mcp, code) => {
    serve('con_b', mcp);
    const { status, result, leftOut } = await list();
    expect([status, namesOf(result).length, leftOut]).toEqual([200, 4, [{ connector_id: 'con_b', code }]]);
    expect(result.ttlMs).toBe(0);
    const single = await list('tools/list', {}, { path: '/mcp/con_b' });
    expect([single.status, single.error.data]).toEqual([
      200,
      expect.objectContaining({ code, connector_id: 'con_b' }),
    ]);
  });

  it('it is denied to the user by policy', async () => {
    scene.idp.misbehaviour = {
      token: (_req, res, body) => {
        const denied = new URLSearchParams(body).get('resource') === scene.servers.get('con_b')?.resource;
        sendJson(res, denied ? 400 : 503, { error: denied ? 'access_denied' : 'temporarily_unavailable' });
      },
    };
    const { leftOut, result } = await list();
    expect(leftOut).toEqual([
      { connector_id: 'con_a', code: 'idp_unavailable' },
      { connector_id: 'con_b', code: 'delegation_denied' },
      { connector_id: 'con_tools', code: 'idp_unavailable' },
    ]);
    expect(result.tools).toEqual([]);
  });

  it.each<[string, Handler]>([
    ['it never answers', () => {}],
    [
      'its stream never ends',
      (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        const timer = setInterval(() => res.write(': still here\n\n'), 20);
        res.on('close', () => clearInterval(timer));
      },
    ],
  ])('%s, and reports the outage', async (_case, mcp) => {
    await scene.stop();
    await open({ connectorIds: ['con_a', 'con_b'], app: { listTimeoutMs: 2000 } });
    await list(); // now the tokens are cached
    let gone: Promise<void> | undefined;
    serve('con_b', (req, res, body) => {
      gone = new Promise((resolve) => res.on('close', resolve));
      return mcp(req, res, body);
    });
    const { result, leftOut } = await list();
    expect(leftOut).toEqual([{ connector_id: 'con_b', code: 'tool_server_unavailable' }]);
    expect(namesOf(result)).toEqual(['con-a_whoami', 'con-a_notes']);
    await gone;
  });
});

it('returns 401 when the identity provider no longer accepts the ID token', async () => {
  scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'invalid_grant' }) };
  const { status, error } = await list();
  expect([status, error.data.code]).toEqual([401, 'sign_in_required']);
});

describe('omits a hostile tool without affecting the others:', () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { properties: { a: nested(levels - 1) } });
  it.each<[string, Record<string, unknown>]>([
    ['a name with a line break', { name: 'a\nb' }],
    ['a name with a line break', { name: 'a\nb' }],
    ['a name that turns the direction', { name: 'a\u202eb' }],
    ['a name of 300 characters', { name: 'a'.repeat(300) }],
    ['no name', { name: '' }],
    ['a name that is a number', { name: 7 }],
    ['the name of another one', { name: 'good', description: 'an impostor' }],
    ['no schema', { inputSchema: undefined }],
    ['a schema that is a text', { inputSchema: 'object' }],
    ['a schema of something else than objects', { inputSchema: { type: 'string' } }],
    ['a schema that is nested without end', { inputSchema: { type: 'object', ...nested(100) } }],
    ['a description that is none', { description: { a: 1 } }],
    ['annotations that are none', { annotations: 'harmless' }],
    ['icons that are none', { icons: 'x' }],
    [
      'a header for a number',
      { inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } },
    ],
    [
      'a header that ends headers',
      { inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } } } },
    ],
  ])('%s', async (_case, change) => {
    const [good, other] = tools('good', 'other').tools;
    script('con_b', { 'tools/list': () => ({ tools: [good, { ...other, name: 'bad', ...change }, other] }) });
    const { result, leftOut } = await list();
    expect(namesOf(result).filter((name) => name.startsWith('con-b'))).toEqual(['con-b_good', 'con-b_other']);
    expect(leftOut).toEqual([{ connector_id: 'con_b', code: 'items_unusable', count: 1 }]);
    expect(result.tools.find(({ name }) => name === 'con-b_good')).not.toHaveProperty('description');
    for (const era of ['modern', 'legacy'] as const) {
      const client = await scene.connect(era, alice);
      expect((await client.listTools()).tools.length).toBe(6);
    }
  });

  it('keeps the valid tools of a list that also has null and strings, and tools whose optional members are null', async () => {
    const [good, other] = tools('good', 'other').tools;
    const odd = {
      ...other,
      title: null,
      description: null,
      annotations: { title: null, readOnlyHint: true },
    };
    script('con_b', { 'tools/list': () => ({ tools: [null, good, 'text', odd, 7] }) });
    const { result, leftOut } = await list();
    expect(namesOf(result).filter((name) => name.startsWith('con-b'))).toEqual(['con-b_good', 'con-b_other']);
    expect(leftOut).toEqual([{ connector_id: 'con_b', code: 'items_unusable', count: 3 }]);
  });

  it.each(['获取天气', 'files/read', 'a:b'])(
    'lists the tool %s under a name that models take, and calls it',
    async (own) => {
      const called: unknown[] = [];
      script('con_b', {
        'tools/list': () => tools(own),
        'tools/call': ({ params }) => {
          called.push(params.name);
          return { content: [] };
        },
      });
      const client = await scene.connect('modern', alice);
      const tool = (await client.listTools()).tools.find(({ name }) => name.startsWith('con-b'));
      expect(tool).toMatchObject({
        name: expect.stringMatching(/^con-b_[A-Za-z0-9_]*--[a-z2-7]{8}$/),
        _meta: { 'legate/tool': { connector_id: 'con_b', slug: 'con-b', name: own } },
      });
      await client.callTool({ name: tool?.name ?? '', arguments: {} });
      const single = await scene.connect('legacy', alice, '/mcp/con_b');
      const [alone] = (await single.listTools()).tools;
      await single.callTool({ name: alone?.name ?? '', arguments: {} });
      expect(called).toEqual([own, own]);
    },
  );

  it('passes on a schema with external references unchanged, and fetches nothing', async () => {
    let fetched = 0;
    serve('con_a', (req, res, body) => {
      if (req.method === 'GET') fetched += 1;
      const $ref = `${scene.servers.get('con_a')?.resource}/schema`;
      const inputSchema = { type: 'object', properties: { a: { $ref } } };
      scriptedMcp({ 'tools/list': () => ({ tools: [{ name: 'x', inputSchema }] }) })(req, res, body);
    });
    const { result } = await list();
    expect(JSON.stringify(result.tools[0])).toContain('/schema"');
    expect([fetched, scene.servers.get('con_a')?.metadataReads]).toEqual([
      0,
      expect.not.arrayContaining(['/schema']),
    ]);
  });

  it('truncates a list of ten thousand tools', async () => {
    await scene.stop();
    await open({ connectorIds: ['con_a', 'con_b'], app: { toolResultMaxBytes: 4_194_304 } });
    const names = Array.from({ length: 10_000 }, (_, index) => `tool_${index}`);
    script('con_a', { 'tools/list': () => tools(...names) });
    const { result, leftOut } = await list();
    expect([result.tools.length, result.tools.at(-1)?.name]).toEqual([1002, 'con-b_notes']);
    expect(leftOut).toEqual([{ connector_id: 'con_a', code: 'list_too_long' }]);
  });

  it('does not follow endless pages', async () => {
    let pages = 0;
    script('con_a', {
      'tools/list': () => {
        pages += 1;
        return { ...tools(`tool_${pages}`), nextCursor: `${pages}` };
      },
    });
    const { result, leftOut } = await list();
    expect([pages, result.tools.length]).toEqual([20, 24]);
    expect(leftOut).toEqual([{ connector_id: 'con_a', code: 'list_too_long' }]);
  });
});

it('never uses one name for two tools, although their connectors have similar ids', async () => {
  await scene.stop();
  await open({ connectorIds: ['con_tools', 'con.tools', 'con-tools'] });
  const { result } = await list();
  expect(namesOf(result)).toEqual(
    ['con-tools', 'con-tools-2', 'con-tools-3'].flatMap((slug) => [`${slug}_whoami`, `${slug}_notes`]),
  );
});

describe('a tool whose name model APIs do not accept', () => {
  const ODD = ['a.b', 'a__b', '_a', 'x'.repeat(60)];
  beforeEach(async () => {
    await scene.stop();
    await open({ connectorIds: ['con_tools'] });
    script('con_tools', {
      'tools/list': () => tools(...ODD),
      'tools/call': ({ params }) => ({ content: [{ type: 'text', text: `it was ${params.name}` }] }),
    });
  });

  it('is listed with a name that they accept, and is called by it', async () => {
    const { result } = await list();
    const names = namesOf(result);
    expect([
      new Set(names).size,
      names.every((name) => /^con-tools_[A-Za-z0-9_-]{0,30}--[a-z2-7]{8}$/.test(name)),
    ]).toEqual([4, true]);
    const client = await scene.connect('modern', alice);
    const answers = [];
    for (const name of names) answers.push((await client.callTool({ name, arguments: {} })).content);
    expect(answers).toEqual(ODD.map((name) => [{ type: 'text', text: `it was ${name}` }]));
  });

  it('is not found by a name with another hash', async () => {
    const client = await scene.connect('modern', alice);
    await expect(client.callTool({ name: 'con-tools_a_b--aaaaaaaa', arguments: {} })).rejects.toThrow(
      'there is no such tool',
    );
  });
});

describe('an agent', () => {
  it('with more connectors than fit a page gets further pages, and sees each connector once', async () => {
    await scene.stop();
    const connectorIds = Array.from({ length: 30 }, (_, index) => `con_${String(index).padStart(2, '0')}`);
    await open({ connectorIds });
    const first = await list();
    expect([first.result.tools.length, typeof first.result.nextCursor]).toEqual([50, 'string']);
    const second = await list('tools/list', { cursor: first.result.nextCursor });
    expect([second.result.tools.length, second.result.nextCursor]).toEqual([10, undefined]);
    expect(namesOf(second.result)[0]).toBe('con-25_whoami');
    const client = await scene.connect('modern', alice);
    expect((await client.listTools()).tools.length).toBe(60);
  });

  it.each(['', 'x', 'MTo', 7, 'MTpjb246YQ'])('with the cursor %j is refused', async (cursor) => {
    expect((await list('tools/list', { cursor })).error.code).toBe(-32602);
  });

  it('bound to some tools of some connectors sees exactly these', async () => {
    await scene.stop();
    const bindings = [{ connectorId: ConnectorId.parse('con_a'), scopes: undefined, tools: ['whoami'] }];
    await open({
      connectorIds: ['con_a', 'con_b'],
      agents: [
        { id: AgentId.parse('agt_1'), isActive: true, bindings },
        { id: AgentId.parse('agt_off'), isActive: false, bindings },
      ],
    });
    const as =
      (agent: string) =>
      async (method: string, params: object = {}, name?: string) => {
        const answer = await scene.post(
          { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
          {
            token: alice,
            headers: {
              'MCP-Protocol-Version': '2026-07-28',
              'Mcp-Method': method,
              'Legate-Agent-Id': agent,
              ...(name !== undefined && { 'Mcp-Name': name }),
            },
          },
        );
        return { status: answer.status, ...(await answer.json()) };
      };
    const bound = as('agt_1');
    expect(namesOf((await bound('tools/list')).result)).toEqual(['con-a_whoami']);
    const call = (name: string) => bound('tools/call', { name, arguments: {} }, name);
    expect((await call('con-a_whoami')).result.content[0].text).toBe('user_alice');
    for (const name of ['con-a_notes', 'con-a_echo', 'con-b_whoami'])
      expect((await call(name)).error).toMatchObject({ code: -32602 });
    expect((await bound('resources/list')).result.resources).toEqual([]);
    const uri = 'legate://con-a/x:1';
    expect((await bound('resources/read', { uri }, uri)).error.code).toBe(-32602);
    expect(scene.servers.get('con_b')?.calls.length).toBe(0);
    for (const other of ['agt_off', 'agt_none']) expect((await as(other)('tools/list')).status).toBe(403);
  });
});

describe('resources and prompts', () => {
  beforeEach(() => {
    script('con_a', {
      'tools/list': () => tools('x'),
      'resources/list': () => ({
        resources: [
          { uri: 'notes://1?a=b#c', name: 'one' },
          { uri: '', name: 'none' },
        ],
      }),
      'resources/templates/list': () => ({
        resourceTemplates: [{ uriTemplate: 'notes://{id}', name: 'any' }],
      }),
      'resources/read': ({ params, headers }) => ({
        contents: [{ uri: params.uri, mimeType: 'text/plain', text: `read ${headers['mcp-name']}` }],
        ttlMs: 5,
        cacheScope: 'public',
      }),
      'prompts/list': () => ({ prompts: [{ name: 'ask', arguments: [{ name: 'topic' }] }] }),
      'prompts/get': ({ params }) => ({
        messages: [
          { role: 'user', content: { type: 'text', text: JSON.stringify(params.arguments) } },
          { role: 'user', content: { type: 'resource_link', uri: 'notes://2', name: 'two' } },
        ],
      }),
    });
    script(
      'con_tools',
      { 'tools/list': () => tools('x'), 'prompts/list': () => ({ prompts: [{ name: 'ask' }] }) },
      'legacy',
    );
  });

  it.each(['modern', 'legacy'] as const)(
    'of all connectors lead back to their own, for a %s agent',
    async (era) => {
      const client = await scene.connect(era, alice);
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(['legate://con-a/notes://1?a=b#c']);
      const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
      expect(contents).toEqual([
        { uri: 'legate://con-a/notes://1?a=b#c', mimeType: 'text/plain', text: 'read notes://1?a=b#c' },
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'legate://con-a/notes://{id}',
      ]);
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['con-a_ask', 'con-tools_ask']);
      const { messages } = await client.getPrompt({ name: 'con-a_ask', arguments: { topic: 'é' } });
      expect(messages.map(({ content }) => content)).toEqual([
        { type: 'text', text: '{"topic":"é"}' },
        { type: 'resource_link', uri: 'legate://con-a/notes://2', name: 'two' },
      ]);
    },
  );

  it('of one connector keep their names', async () => {
    const client = await scene.connect('modern', alice, '/mcp/con_a');
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['notes://1?a=b#c']);
    expect((await client.readResource({ uri: 'notes://7' })).contents[0]?.uri).toBe('notes://7');
    const { messages } = await client.getPrompt({ name: 'ask', arguments: { topic: 'x' } });
    expect(messages[1]?.content).toMatchObject({ uri: 'notes://2' });
  });

  it('are always marked as private', async () => {
    const uri = 'legate://con-a/notes://1';
    const answer = await scene.post(
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri, _meta: META } },
      {
        token: alice,
        headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'resources/read', 'Mcp-Name': uri },
      },
    );
    expect((await answer.json()).result).toMatchObject({ ttlMs: 5, cacheScope: 'private' });
  });

  it.each([
    'notes://1',
    'legate://con-nobody/notes://1',
    'legate://con-a/',
    'legate://con_a',
    'legate:/con_a/x',
  ])('do not exist at %s, which is reported with its URI', async (uri) => {
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read' };
    const modern = await scene.post(
      { ...read, params: { uri, _meta: META } },
      {
        token: alice,
        headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'resources/read', 'Mcp-Name': uri },
      },
    );
    expect((await modern.json()).error).toMatchObject({ code: -32602, data: { uri } });
    const legacy = await scene.post({ ...read, params: { uri } }, { token: alice });
    expect((await legacy.json()).error).toMatchObject({ code: -32002, data: { uri } });
  });

  it.each([-32002, -32601])(
    'unknown to their tool server (%i) are named in the error as the agent named them',
    async (code) => {
      script('con_a', {
        'resources/read': () => ({ error: { code, message: 'none', data: { uri: 'notes://1' } } }),
      });
      const uri = 'legate://con-a/notes://1';
      const answer = await scene.post(
        { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } },
        { token: alice },
      );
      expect((await answer.json()).error).toMatchObject({ code: -32002, data: { uri } });
    },
  );

  it('of an app are linked from its tool to its page, at both kinds of path', async () => {
    const page = 'ui://board/index.html';
    const meta = { ui: { resourceUri: page, visibility: ['model'] }, 'ui/resourceUri': page, other: 1 };
    const tool = { name: 'show', inputSchema: { type: 'object' }, _meta: meta };
    script('con_a', {
      'tools/list': () => ({ tools: [tool], ttlMs: 60_000 }),
      'resources/read': ({ params }) => ({ contents: [{ uri: params.uri, text: '<html>' }] }),
    });
    const all = await scene.connect('modern', alice);
    const one = await scene.connect('modern', alice, '/mcp/con_a');
    const pageAtAll = 'ui://legate.con-a/board/index.html';
    const shown = (await all.listTools()).tools.find(({ name }) => name === 'con-a_show');
    expect(shown?._meta).toEqual({
      'legate/tool': { connector_id: 'con_a', slug: 'con-a', name: 'show' },
      ui: { resourceUri: pageAtAll, visibility: ['model'] },
      'ui/resourceUri': pageAtAll,
      other: 1,
    });
    expect((await one.listTools()).tools[0]?._meta).toEqual(meta);
    const { contents } = await all.readResource({ uri: pageAtAll });
    expect(contents).toEqual([{ uri: pageAtAll, text: '<html>' }]);
  });

  it('are empty if a tool server has none, without a fault', async () => {
    const { result, leftOut } = await list('resources/list');
    expect([result.resources.length, leftOut]).toEqual([
      1,
      [{ connector_id: 'con_a', code: 'items_unusable', count: 1 }],
    ]);
  });
});
