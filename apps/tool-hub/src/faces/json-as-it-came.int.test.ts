import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import type { Era } from '../testing/agents-scene.ts';
import {
  exactIn,
  exactly,
  integerText,
  laidOut,
  objectText,
  stringText,
  valueText,
} from '../testing/exact-json.ts';
import { createTextScene, metaText, sendTexts, type TextScene } from '../testing/text-scene.ts';

/** One scene for each era of the tool server */
let scenes: Readonly<Record<Era, TextScene>>;
beforeAll(async () => {
  scenes = { modern: await createTextScene('modern'), legacy: await createTextScene('legacy') };
});
afterAll(() => Promise.all([scenes.modern.stop(), scenes.legacy.stop()]));

const PATHS = { '/mcp': 'con-tools_x', '/mcp/con_tools': 'x' } as const;
const ERAS = ['modern', 'legacy'] as const;

describe('a call of a tool', () => {
  const anyCall = fc.record({
    agent: fc.constantFrom(...ERAS),
    server: fc.constantFrom(...ERAS),
    transport: fc.constantFrom('json' as const, 'stream' as const),
    args: objectText,
    own: valueText,
    result: fc
      .record({ structuredContent: objectText, meta: valueText, later: valueText })
      .map(({ structuredContent, meta, later }) => ({ structuredContent, later, meta })),
    id: fc.oneof(integerText, stringText),
    seed: fc.integer(),
  });
  const one = (seed: number, members: Record<string, string>): string =>
    fc.sample(laidOut(members), { numRuns: 1, seed })[0] ?? '';

  it.each(['/mcp', '/mcp/con_tools'] as const)(
    'passes numbers on as they were written, in both directions, at %s',
    async (path) => {
      const name = PATHS[path];
      await fc.assert(
        fc.asyncProperty(anyCall, async ({ agent, server, transport, args, own, result, id, seed }) => {
          const scene = scenes[server];
          const { structuredContent, meta, later } = result;
          const text = one(seed, {
            content: `[{"type":"text","text":"a","n":${later}}]`,
            structuredContent,
            _meta: `{"com.example/m":${meta}}`,
            later,
            ...(server === 'modern' && { resultType: '"complete"' }),
          });
          scene.serve('tools/call', ({ id: own, res }) =>
            sendTexts(res, transport, [one(seed + 1, { jsonrpc: '"2.0"', id: own, result: text })]),
          );
          const params = one(seed + 2, {
            name: JSON.stringify(name),
            arguments: args,
            _meta: metaText(agent, `"com.example/a":${own}`),
          });
          const message = one(seed + 3, { jsonrpc: '"2.0"', id, method: '"tools/call"', params });
          const sent = { era: agent, method: 'tools/call', body: message, path, name };
          const { status, texts } = await scene.post(sent);
          const [answer = ''] = texts;
          expect([status, scene.received.length]).toEqual([200, 1]);
          expect(exactIn(scene.received[0] ?? '', 'params', 'arguments')).toEqual(exactly(args));
          expect(exactIn(scene.received[0] ?? '', 'params', '_meta', 'com.example/a')).toEqual(exactly(own));
          expect(exactIn(answer, 'id')).toEqual(exactly(id));
          for (const member of ['content', 'structuredContent', 'later'])
            expect(exactIn(answer, 'result', member)).toEqual(exactIn(text, member));
          expect(exactIn(answer, 'result', '_meta', 'com.example/m')).toEqual(exactly(meta));
        }),
        runs(200),
      );
    },
  );

  it('passes numbers on unchanged, in both directions, at the REST API', async () => {
    await fc.assert(
      fc.asyncProperty(anyCall, async ({ server, transport, args, result, seed }) => {
        const scene = scenes[server];
        const { structuredContent, meta, later } = result;
        const text = one(seed, {
          content: `[{"type":"text","text":"a","n":${later}}]`,
          structuredContent,
          _meta: `{"com.example/m":${meta},"legate/x":1}`,
        });
        scene.serve('tools/call', ({ id: own, res }) =>
          sendTexts(res, transport, [one(seed + 1, { jsonrpc: '"2.0"', id: own, result: text })]),
        );
        const body = one(seed + 2, { arguments: args });
        const { status, texts } = await scene.rest('/connectors/con_tools/tools/x/call', body);
        const [answered = ''] = texts;
        expect([status, scene.received.length]).toEqual([200, 1]);
        expect(exactIn(scene.received[0] ?? '', 'params', 'arguments')).toEqual(exactly(args));
        for (const member of ['content', 'structuredContent'])
          expect(exactIn(answered, member)).toEqual(exactIn(text, member));
        expect(exactIn(answered, '_meta')).toEqual({ members: [['com.example/m', exactly(meta)]] });
      }),
      runs(200),
    );
  });
});

/** Numbers that a JSON parser would change, in a text that must arrive unchanged */
const N = '{"id":725653563933458433,"price":1.10,"big":1e400,"zero":-0,"hundred":1e2,"one":1.0}';
const COMPLETE = '"resultType":"complete"';

const request = (method: string, params: string, id = '1'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

describe.each(ERAS)('an agent of a %s tool server', (server) => {
  let scene: TextScene;
  beforeEach(() => {
    scene = scenes[server];
  });
  afterEach(() => scene.clock.advanceSeconds(61)); // lists are fetched again

  const answering = (method: string, result: string, before: (id: string) => readonly string[] = () => []) =>
    scene.serve(method, ({ id, res }) =>
      sendTexts(res, 'stream', [
        ...before(id),
        `{"jsonrpc":"2.0","result":${server === 'modern' ? `{${COMPLETE},${result}` : `{${result}`}},"id":${id}}`,
      ]),
    );

  it.each([
    ['tools', 'tools/list', '"name":"x","inputSchema":{"type":"object"}'],
    ['prompts', 'prompts/list', '"name":"x"'],
    ['resources', 'resources/list', '"uri":"a:b","name":"x"'],
    ['resourceTemplates', 'resources/templates/list', '"uriTemplate":"a:{b}","name":"x"'],
  ])('gets %s with their numbers', async (member, method, own) => {
    const ttl = server === 'modern' ? ',"ttlMs":60000' : '';
    answering(
      method,
      `"${member}":[{${own},"title":null,"_meta":{"com.example/m":${N}},"more":[${N}]}]${ttl}`,
    );
    for (const [path, era] of [
      ['/mcp', 'modern'],
      ['/mcp/con_tools', 'legacy'],
      ['/mcp', 'legacy'], // from the cache, for a modern server
    ] as const) {
      const body = request(method, `{"_meta":${metaText(era)}}`);
      const { texts } = await scene.post({ era, method, body, path });
      expect(texts[0]).toContain(`"com.example/m":${N}`);
      expect(texts[0]).toContain(`"more":[${N}]`);
      expect(texts[0]).not.toContain('null');
    }
  });

  it('gets tools with their numbers, also through the REST API', async () => {
    const schema = `{"type":"object","properties":{"a":{"maximum":1e2,"default":${N}}}}`;
    const meta = '"_meta":{"legate/approval":"not-required","com.example/m":1.0}';
    answering('tools/list', `"tools":[{"name":"x","inputSchema":${schema},${meta}}]`);
    const { texts } = await scene.rest('/connectors/con_tools/tools');
    expect(texts[0]).toContain(`"inputSchema":${schema}`);
    expect(texts[0]).toContain('"_meta":{"com.example/m":1.0}');
  });

  it('sends and gets the numbers of a prompt', async () => {
    answering(
      'prompts/get',
      `"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","n":${N}}}}]`,
    );
    const body = request(
      'prompts/get',
      `{"name":"con-tools_x","arguments":${N},"_meta":${metaText('modern')}}`,
    );
    const { texts } = await scene.post({ era: 'modern', method: 'prompts/get', body, name: 'con-tools_x' });
    expect(scene.received[0]).toContain(`"arguments":${N}`);
    expect(texts[0]).toContain(`{"uri":"legate://con-tools/a:b","n":${N}}`);
  });

  it('gets the numbers of a resource', async () => {
    answering('resources/read', `"contents":[{"uri":"a:b","text":"","_meta":${N}}],"ttlMs":1e2`);
    const uri = 'legate://con-tools/a:b';
    const body = request('resources/read', `{"uri":"${uri}","_meta":${metaText('modern')}}`);
    const { texts } = await scene.post({ era: 'modern', method: 'resources/read', body, name: uri });
    expect(texts[0]).toContain(`[{"uri":"${uri}","text":"","_meta":${N}}]`);
    expect(texts[0]).toContain('"ttlMs":1e2');
  });

  it('sends the numbers of a completion', async () => {
    answering('completion/complete', `"completion":{"values":[],"total":725653563933458433}`);
    const params = `{"ref":{"type":"ref/prompt","name":"con-tools_x","n":1.0},"argument":{"name":"a","value":"b","n":${N}},"context":${N},"_meta":${metaText('modern')}}`;
    const { texts } = await scene.post({
      era: 'modern',
      method: 'completion/complete',
      body: request('completion/complete', params),
    });
    expect(scene.received[0]).toContain('"ref":{"type":"ref/prompt","name":"x","n":1.0}');
    expect(scene.received[0]).toContain(`"n":${N}},"context":${N}`);
    expect(texts[0]).toContain('"total":725653563933458433');
  });

  it('gets progress and logs with their numbers, and its own token', async () => {
    answering('tools/call', '"content":[]', (id) => [
      `{"method":"notifications/progress","params":{"total":1e400,"progress":1.0,"progressToken":${id},"message":"a"}}`,
      `{"params":{"data":${N},"level":"info"},"method":"notifications/message"}`,
    ]);
    const meta = metaText(
      'modern',
      '"progressToken":725653563933458433,"io.modelcontextprotocol/logLevel":"info"',
    );
    const body = request('tools/call', `{"name":"con-tools_x","_meta":${meta}}`);
    const { texts } = await scene.post({ era: 'modern', method: 'tools/call', body, name: 'con-tools_x' });
    expect(texts[0]).toContain(
      '{"progress":1.0,"total":1e400,"message":"a","progressToken":725653563933458433}',
    );
    expect(texts[1]).toContain(`"data":${N}`);
  });

  it("gets the data of a tool's error with its numbers", async () => {
    scene.serve('tools/call', ({ id, res }) =>
      sendTexts(res, 'json', [`\n{"error":{"message":"no","data": ${N},"code":-32050},"id":${id}}\n`]),
    );
    const body = request(
      'tools/call',
      `{"name":"con-tools_x","_meta":${metaText('modern')}}`,
      '725653563933458433',
    );
    const { texts } = await scene.post({ era: 'modern', method: 'tools/call', body, name: 'con-tools_x' });
    expect(texts[0]).toBe(
      `{"jsonrpc":"2.0","id":725653563933458433,"error":{"code":-32050,"message":"no","data":${N}}}`,
    );
  });
});

describe('an agent of revision 2026-07-28', () => {
  let scene: TextScene;
  beforeEach(() => {
    scene = scenes.modern;
  });

  it('sends its responses to a question, its capabilities and its extensions with their numbers', async () => {
    scene.serve('tools/call', ({ id, res }) =>
      sendTexts(res, 'json', [
        `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":${N}}},"requestState":"s"}}`,
      ]),
    );
    const meta = metaText(
      'modern',
      '',
      `{"elicitation":{"form":${N}},"extensions":{"com.example/b":{"n":1.0},"com.example/a":${N}}}`,
    );
    const call = async (more: string) => {
      const body = request('tools/call', `{"name":"con-tools_x"${more},"_meta":${meta}}`);
      const { texts } = await scene.post({ era: 'modern', method: 'tools/call', body, name: 'con-tools_x' });
      return texts[0] ?? '';
    };
    const question = await call('');
    expect(question).toContain(`"params":${N}`);
    const { requestState } = JSON.parse(question).result;
    await call(
      `,"inputResponses":{"legate/connect":{},"a":{"action":"accept","content":${N}}},"requestState":"${requestState}"`,
    );
    const sent = scene.received[1] ?? '';
    expect(sent).toContain(`"inputResponses":{"a":{"action":"accept","content":${N}}},"requestState":"s"`);
    expect(sent).toContain(`"elicitation":{"form":${N}}`);
    expect(sent).toContain(`"com.example/a":${N},"com.example/b":{"n":1.0}`);
  });
});

describe('an agent of an older revision', () => {
  let scene: TextScene;
  beforeEach(() => {
    scene = scenes.modern;
  });

  it('declares its extensions once, with their numbers', async () => {
    scene.serve('tools/call', ({ id, res }) =>
      sendTexts(res, 'json', [`{"jsonrpc":"2.0","id":${id},"result":{${COMPLETE},"content":[]}}`]),
    );
    const capabilities = `{"extensions":{"com.example/a":${N}}}`;
    const begun = await fetch(`${scene.url}/mcp`, {
      ...{ method: 'POST', headers: await scene.headers() },
      body: request('initialize', `{"protocolVersion":"2025-11-25","capabilities":${capabilities}}`),
    });
    const headers = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    await scene.post({
      era: 'legacy',
      method: 'tools/call',
      headers,
      body: request('tools/call', '{"name":"con-tools_x"}'),
    });
    expect(scene.received[0]).toContain(`"com.example/a":${N}`);
  });

  it('gets the description of a tool server with its numbers', async () => {
    scene.serve('server/discover', ({ id, res }) =>
      sendTexts(res, 'json', [
        `{"jsonrpc":"2.0","id":${id},"result":{${COMPLETE},"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"com.example/a":${N}}},"serverInfo":{"name":"s","version":"1","n":${N}}}}`,
      ]),
    );
    const body = request('initialize', '{"protocolVersion":"2025-11-25","capabilities":{}}');
    const { texts } = await scene.post({ era: 'legacy', method: 'initialize', body, path: '/mcp/con_tools' });
    expect(texts[0]).toContain(`"extensions":{"com.example/a":${N}}`);
    expect(texts[0]).toContain(`"version":"1","n":${N}}`);
  });
});

/** Many clients write null for a member that they leave out. */
it('treats null like an omitted member', async () => {
  const scene = scenes.modern;
  scene.serve('tools/call', ({ id, res }) =>
    sendTexts(res, 'json', [`{"jsonrpc":"2.0","id":${id},"result":{${COMPLETE},"content":[]}}`]),
  );
  const more = '"progressToken":null,"io.modelcontextprotocol/logLevel":null';
  const params = `{"name":"con-tools_x","arguments":null,"inputResponses":null,"requestState":null,"_meta":${metaText('modern', more)}}`;
  const body = request('tools/call', params);
  const { texts } = await scene.post({ era: 'modern', method: 'tools/call', body, name: 'con-tools_x' });
  expect(texts[0]).toContain('"content":[]');
  expect(exactIn(scene.received[0] ?? '', 'params', 'arguments')).toEqual({ members: [] });
  expect(exactIn(scene.received[0] ?? '', 'params', 'requestState')).toBeUndefined();
  expect(exactIn(scene.received[0] ?? '', 'params', 'inputResponses')).toBeUndefined();
});

describe('an id', () => {
  let scene: TextScene;
  beforeEach(() => {
    scene = scenes.modern;
  });

  it.each(['725653563933458433', '-0', '1.0', '1e2', '"\\u0061"', '12345678901234567890'])(
    '%s is repeated as it was written',
    async (id) => {
      for (const [method, params] of [
        ['ping', '{}'],
        ['tools/call', '{"name":"nobody_x"}'],
        ['no/such', '{}'],
      ] as const) {
        const { texts } = await scene.post({ era: 'legacy', method, body: request(method, params, id) });
        expect(texts[0]).toContain(`"id":${id},`);
      }
    },
  );

  it('of a subscription is repeated as it was written, in each of its messages', async () => {
    const agent = new AbortController();
    const id = '725653563933458433';
    const params = `{"notifications":{"toolsListChanged":true,"promptsListChanged":null},"_meta":${metaText('modern')}}`;
    const answer = await fetch(`${scene.url}/mcp`, {
      method: 'POST',
      headers: {
        ...(await scene.headers()),
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'subscriptions/listen',
      },
      body: request('subscriptions/listen', params, id),
      signal: agent.signal,
    });
    const first = await answer.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain(
      `"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}`,
    );
    agent.abort();
  });

  it.each([
    ['725653563933458433', '725653563933458433'],
    ['1', '1.0'],
    ['"a"', '"\\u0061"'],
  ])('%s is found by the cancellation of %s', async (id, requestId) => {
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    scene.serve('tools/call', () => asked());
    const headers = { 'Mcp-Session-Id': `of-${id.length}-${requestId.length}` };
    const body = request('tools/call', '{"name":"con-tools_x"}', id);
    const answer = scene.post({ era: 'legacy', method: 'tools/call', body, headers });
    await isAsked;
    const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${requestId}}}`;
    await scene.post({ era: 'legacy', method: 'notifications/cancelled', body: cancel, headers });
    expect(await answer).toEqual({ status: 200, texts: [] });
  });

  it.each([
    ['a fraction', '1.5'],
    ['null', 'null'],
    ['true', 'true'],
    ['more than a double can hold', '1e400'],
    ['an array', '[1]'],
    ['of 257 digits', `1${'0'.repeat(256)}`],
  ])('that is %s is refused', async (_what, id) => {
    const { status, texts } = await scene.post({
      era: 'legacy',
      method: 'ping',
      body: request('ping', '{}', id),
    });
    expect([status, exactIn(texts[0] ?? '', 'error', 'code'), exactIn(texts[0] ?? '', 'id')]).toEqual([
      400,
      { number: '-32600' },
      null,
    ]);
  });
});

/** Duplicates are dangerous: a reader behind the hub may use the first of the two, while the hub uses the last. */
describe('a member that occurs twice', () => {
  let scene: TextScene;
  beforeEach(() => {
    scene = scenes.modern;
  });

  it.each([
    ['the message', '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"con-tools_x"}}'],
    ['params', request('tools/call', '{"name":"con-tools_x","name":"con-tools_y"}')],
    [
      'params, with an escaped name',
      request('tools/call', '{"name":"con-tools_x","n\\u0061me":"con-tools_y"}'),
    ],
    [
      'params: the arguments',
      request('tools/call', '{"name":"con-tools_x","arguments":{},"arguments":{"a":1}}'),
    ],
    ['the arguments', request('tools/call', '{"name":"con-tools_x","arguments":{"a":[{"b":1,"b":2}]}}')],
    ['_meta', request('tools/call', '{"name":"con-tools_x","_meta":{"a":1,"a":2}}')],
  ])('in %s is refused, and nothing is sent', async (_where, body) => {
    scene.serve('tools/call', ({ res }) => void res.writeHead(500).end());
    const { status, texts } = await scene.post({ era: 'legacy', method: 'tools/call', body });
    expect([status, exactIn(texts[0] ?? '', 'error', 'code'), scene.received]).toEqual([
      400,
      { number: '-32700' },
      [],
    ]);
  });

  it.each(['{"arguments":{},"arguments":{"a":1}}', '{"arguments":{"a":1,"\\u0061":2}}'])(
    'is refused by the REST API: %s',
    async (body) => {
      scene.serve('tools/call', ({ res }) => void res.writeHead(500).end());
      const { status, texts } = await scene.rest('/connectors/con_tools/tools/x/call', body);
      expect([status, exactIn(texts[0] ?? '', 'code'), scene.received]).toEqual([400, 'malformed_json', []]);
    },
  );

  it('in a question is reported as an error of the tool server', async () => {
    const params = '"params":{"mode":"url"},"params":{"mode":"form"}';
    const question = `{"a":{"method":"elicitation/create",${params}}}`;
    scene.serve('tools/call', ({ id, res }) =>
      sendTexts(res, 'json', [
        `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":${question}}}`,
      ]),
    );
    const body = request('tools/call', `{"name":"con-tools_x","_meta":${metaText('modern')}}`);
    const { texts } = await scene.post({ era: 'modern', method: 'tools/call', body, name: 'con-tools_x' });
    expect(exactIn(texts[0] ?? '', 'result', '_meta', 'legate/problem', 'code')).toBe('tool_server_error');
  });

  it.each([
    ['_meta', '"_meta":{"legate/acts_as":"user"},"content":[],"_meta":{"a":1}'],
    ['_meta, with an escaped name', '"\\u005fmeta":{"legate/acts_as":"user"},"content":[],"_meta":{"a":1}'],
    ['resultType', '"resultType":"input_required","content":[],"resultType":"complete"'],
  ])('in a result is passed on once: %s', async (_what, members) => {
    scene.serve('tools/call', ({ id, res }) =>
      sendTexts(res, 'json', [`{"jsonrpc":"2.0","id":${id},"result":{${members}}}`]),
    );
    const body = request('tools/call', '{"name":"con-tools_x"}');
    const answers = [
      await scene.post({ era: 'legacy', method: 'tools/call', body }),
      await scene.rest('/connectors/con_tools/tools/x/call', '{}'),
    ];
    for (const { texts } of answers) {
      expect(texts[0]).toContain('"content":[]');
      expect(texts[0]).not.toMatch(/acts_as|input_required/);
    }
  });
});
