import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_ID } from '@legate/management-contract';
import {
  type AgentResponse,
  type AgentsScene,
  createAgentsScene,
  type Era,
} from '../../testing/agents-scene.ts';
import { type Handler, sendJson, startServer } from '../../testing/http-server.ts';
import { type Script, type ScriptedRequest, scriptedMcp, tools } from '../../testing/scripted-mcp.ts';

let scene: AgentsScene;
let alice: string;
beforeEach(async () => {
  scene = await createAgentsScene({ connectorIds: ['con_tools', 'con_other'] });
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

const serve = (mcp: Handler, id = 'con_tools') => {
  const server = scene.servers.get(id);
  if (server) server.misbehaviour = { mcp };
};
const script = (methods: Script, era?: Era) => serve(scriptedMcp(methods, era));

const ERAS: [Era, Era][] = [
  ['modern', 'modern'],
  ['modern', 'legacy'],
  ['legacy', 'modern'],
  ['legacy', 'legacy'],
];
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, experimental: { x: {} } },
};

/** Calls a tool as an agent that writes its own JSON-RPC, so that a test sees the exact bytes. */
const call = (
  era: Era,
  name = 'con-tools_x',
  options: {
    params?: object;
    meta?: object;
    token?: string;
    signal?: AbortSignal;
    id?: unknown;
    session?: string;
    headers?: Record<string, string>;
  } = {},
) =>
  scene.post(
    {
      jsonrpc: '2.0',
      id: options.id ?? 1,
      method: 'tools/call',
      params: {
        name,
        arguments: { a: 1 },
        ...options.params,
        _meta: { ...(era === 'modern' && META), ...options.meta },
      },
    },
    {
      token: options.token ?? alice,
      headers: {
        ...(era === 'modern'
          ? { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name }
          : { 'MCP-Protocol-Version': '2025-11-25' }),
        ...(options.session && { 'Mcp-Session-Id': options.session }),
        ...options.headers,
      },
      ...(options.signal && { signal: options.signal }),
    },
  );
const resultOf = async (answer: AgentResponse) => (await answer.json()).result;

describe.each(ERAS)('a call by a %s agent of a %s tool server', (agent, server) => {
  it("runs as the user, and returns the tool's result", async () => {
    script(
      {
        'tools/call': ({ params }) => ({
          content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
        }),
      },
      server,
    );
    const client = await scene.connect(agent, alice);
    expect(client.getProtocolEra()).toBe(agent);
    const { content } = await client.callTool({ name: 'con-tools_x', arguments: { é: [1, null] } });
    expect(content).toEqual([{ type: 'text', text: '{"é":[1,null]}' }]);
  });

  it('treats null as omitted arguments', async () => {
    const seen: unknown[] = [];
    script(
      {
        'tools/call': ({ params }) => {
          seen.push(params.arguments);
          return { content: [] };
        },
      },
      server,
    );
    const answer = await call(agent, 'con-tools_x', { params: { arguments: null } });
    expect([answer.status, seen]).toEqual([200, [{}]]);
  });

  it('does not change images, structured content or unknown members', async () => {
    const own =
      '"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},{"type":"hologram","d":1.0}],' +
      '"structuredContent":{ "big":12345678901234567890,"e":"\\u00e9","n":{"a":[1e3]} },"later":true';
    const result = server === 'modern' ? `{"resultType":"complete",${own}}` : `{${own}}`;
    serve((req, res, body) => {
      const { id, method } = JSON.parse(body);
      if (method !== 'tools/call' || (server === 'legacy' && req.headers['mcp-method']))
        return scriptedMcp({}, server)(req, res, body);
      res.setHeader('Content-Type', 'application/json');
      res.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    });
    const text = await (await call(agent)).text();
    expect(text).toContain(own);
    if (agent === 'modern') expect(text).toContain('"resultType":"complete"');
  });

  it("sends progress before the result, with the agent's token", async () => {
    let finish: (() => void) | undefined;
    const tokens: unknown[] = [];
    script(
      {
        'tools/call': ({ id, params, event, res }) => {
          const { progressToken } = params._meta ?? {};
          tokens.push(progressToken);
          const notify = (params: object) => event({ method: 'notifications/progress', params });
          notify({ progressToken: 'another', progress: 0 });
          notify({ progressToken, progress: 'much' });
          notify({ progressToken, progress: 1, total: 2, message: 'half\nway', _meta: { 'legate/x': 1 } });
          finish = () => {
            event({ id, result: { ...(server === 'modern' && { resultType: 'complete' }), content: [] } });
            res.end();
          };
          return undefined;
        },
      },
      server,
    );
    const answer = await call(agent, 'con-tools_x', { meta: { progressToken: 'agents own' } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const events = messagesOf(answer);
    expect((await events.next()).value).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'agents own', progress: 1, total: 2, message: 'half\nway' },
    });
    finish?.(); // the progress arrived before there was a result
    expect((await events.next()).value).toMatchObject({ id: 1, result: { content: [] } });
    expect((await events.next()).done).toBe(true);
    expect(tokens).toEqual([expect.any(Number)]);
  });

  it('sends a result as one event, however many lines it has', async () => {
    script(
      {
        'tools/call': ({ id, params, event, res }) => {
          const { progressToken } = params._meta ?? {};
          event({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
          const type = server === 'modern' ? '"resultType":"complete",' : '';
          res.end(`data: {"jsonrpc":"2.0","id":${id},"result":{${type}\ndata: "content":\r\ndata: []}}\n\n`);
          return undefined;
        },
      },
      server,
    );
    const events = messagesOf(await call(agent, 'con-tools_x', { meta: { progressToken: 7 } }));
    expect((await events.next()).value).toMatchObject({ params: { progressToken: 7, progress: 1 } });
    expect((await events.next()).value).toMatchObject({ id: 1, result: { content: [] } });
  });

  it('sends progress to the official client', async () => {
    script(
      {
        'tools/call': ({ params, event }) => {
          event({
            method: 'notifications/progress',
            params: { progressToken: params._meta?.progressToken, progress: 1 },
          });
          return { content: [] };
        },
      },
      server,
    );
    const client = await scene.connect(agent, alice);
    const seen: unknown[] = [];
    await client.callTool(
      { name: 'con-tools_x', arguments: {} },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(seen).toEqual([{ progress: 1 }]);
  });

  it('is cancelled at the tool server when the agent disconnects', async () => {
    const { asked, cancelled, closed } = hang(server);
    const agentGone = new AbortController();
    const answer = call(agent, 'con-tools_x', { signal: agentGone.signal }).catch(() => undefined);
    const { id } = await asked;
    agentGone.abort();
    await closed;
    await answer;
    // Before 2026-07-28 a broken connection does not mean cancellation.
    if (server === 'legacy') expect(await cancelled).toEqual({ requestId: id, reason: expect.any(String) });
  });

  it('is cancelled at the tool server when the official client cancels', async () => {
    const { asked, closed } = hang(server);
    const client = await scene.connect(agent, alice);
    const cancelled = new AbortController();
    const outcome = client
      .callTool({ name: 'con-tools_x', arguments: {} }, { signal: cancelled.signal })
      .catch(() => 'cancelled');
    await asked;
    cancelled.abort();
    await closed;
    expect(await outcome).toBe('cancelled');
  });

  it('reports a failing tool, and invalid arguments', async () => {
    script(
      {
        'tools/call': ({ params }) =>
          params.name === 'x'
            ? { content: [{ type: 'text', text: 'no' }], isError: true }
            : { error: { code: -32602, message: 'text: must be a string' } },
      },
      server,
    );
    expect(await resultOf(await call(agent))).toMatchObject({ isError: true, content: [{ text: 'no' }] });
    const refused = await call(agent, 'con-tools_y');
    expect([refused.status, (await refused.json()).error]).toEqual([
      200,
      { code: -32602, message: 'text: must be a string' },
    ]);
  });
});

it.each<[Era]>([['modern'], ['legacy']])(
  'a call by an application is cancelled at the %s tool server too, when the application disconnects',
  async (server) => {
    const { asked, cancelled, closed } = hang(server);
    const gone = new AbortController();
    const answer = fetch(`${scene.url}/api/v1/connectors/con_tools/tools/x/call`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${alice}` },
      signal: gone.signal,
    }).catch(() => undefined);
    const { id } = await asked;
    gone.abort();
    await closed;
    await answer;
    if (server === 'legacy') expect(await cancelled).toMatchObject({ requestId: id });
  },
);

/** A tool that never answers. */
function hang(era: Era) {
  let onAsked: (request: ScriptedRequest) => void = () => {};
  let onCancelled: (params: object) => void = () => {};
  let onClosed: () => void = () => {};
  const asked = new Promise<ScriptedRequest>((resolve) => {
    onAsked = resolve;
  });
  const cancelled = new Promise<object>((resolve) => {
    onCancelled = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  script(
    {
      'tools/call': (request) => {
        request.res.on('close', onClosed);
        onAsked(request);
        return undefined;
      },
      'notifications/cancelled': ({ params }) => {
        onCancelled(params);
        return undefined;
      },
    },
    era,
  );
  return { asked, cancelled, closed };
}

async function* messagesOf(answer: AgentResponse) {
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) yield JSON.parse(event.split('data: ')[1] ?? 'null');
  }
}

describe('notifications/cancelled', () => {
  const cancel = (session: string | undefined, requestId: unknown, token = alice) =>
    scene.post(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } },
      { token, ...(session && { headers: { 'Mcp-Session-Id': session } }) },
    );

  it('cancels the request of the same session, and the agent gets no response', async () => {
    const { asked, closed } = hang('modern');
    const answer = call('legacy', 'con-tools_x', { session: 'one', id: 'r1' });
    await asked;
    expect((await cancel('one', 'r1')).status).toBe(202);
    await closed;
    expect(await (await answer).text()).toBe('');
  });

  it('with another session, id or user cancels nothing', async () => {
    const { asked } = hang('modern');
    let isAnswered = false;
    const gone = new AbortController();
    const answer = call('legacy', 'con-tools_x', { session: 'one', id: 'r1', signal: gone.signal }).then(
      () => {
        isAnswered = true;
      },
      () => {},
    );
    const request = await asked;
    await cancel('two', 'r1');
    await cancel(undefined, 'r1');
    await cancel('one', 'r2');
    await cancel('one', 'r1', await scene.idTokenOf('user_bob'));
    await cancel('one', { toString: 'r1' });
    expect([request.res.destroyed, isAnswered]).toEqual([false, false]);
    gone.abort();
    await answer;
  });
});

describe('a delegation that is not granted', () => {
  const refuse = (status: number, body: object) => {
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, status, body) };
  };

  it.each<[Era, number, object, string]>([
    ['modern', 400, { error: 'access_denied' }, 'delegation_denied'],
    ['legacy', 400, { error: 'access_denied' }, 'delegation_denied'],
    ['modern', 400, { error: 'invalid_target' }, 'delegation_denied'],
    ['modern', 503, {}, 'idp_unavailable'],
    ['legacy', 400, { error: 'invalid_client' }, 'connector_misconfigured'],
    ['modern', 400, { error: 'unsupported_grant_type' }, 'connector_misconfigured'],
  ])('is reported to a %s agent as a failed tool call (%i %j: %s)', async (era, status, body, code) => {
    refuse(status, body);
    const answer = await call(era);
    const result = await resultOf(answer);
    expect([answer.status, result.isError, result._meta['legate/problem'].code]).toEqual([200, true, code]);
    expect(result.content[0].text.length).toBeGreaterThan(20);
    expect(result.content[0].text).toMatch(/(Do not|before you) try again\.$/);
    expect(Object.hasOwn(result._meta, 'legate/authorization')).toBe(code !== 'idp_unavailable');
    expect(scene.toolServer.calls.length).toBe(0);
  });

  it.each<[Era]>([['modern'], ['legacy']])('shows a %s agent what would help', async (era) => {
    refuse(400, { error: 'access_denied' });
    const extensions = { 'io.modelcontextprotocol/structured-authorization-denials': {} };
    const { meta, session } = await declaring(era, extensions);
    const answer = await call(era, 'con-tools_x', { meta, session });
    const { _meta } = await resultOf(answer);
    const denial = {
      reason: 'insufficient_authorization',
      remediation: 'out_of_band',
      authorizationContextId: answer.headers.get('legate-call-id'),
      remediationHints: [
        {
          type: 'legate/administrator',
          where: 'identity_provider',
          connector_id: 'con_tools',
          slug: 'con-tools',
          scopes: ['mcp:tools:read', 'mcp:tools:call'],
        },
      ],
    };
    expect(_meta).toMatchObject({
      'legate/authorization': denial,
      'io.modelcontextprotocol/authorization': denial,
    });
    expect((await resultOf(await call(era)))._meta).not.toHaveProperty([
      'io.modelcontextprotocol/authorization',
    ]);
  });

  /** Headers and members with which an agent of that era declares its extensions */
  async function declaring(era: Era, extensions: object) {
    const capabilities = { extensions };
    if (era === 'modern')
      return { meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities }, session: '' };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'a', version: '1' } };
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    const opened = await scene.post(message, { token: alice });
    return { meta: {}, session: opened.headers.get('mcp-session-id') ?? '' };
  }

  it('of a resource or prompt is reported as an error with a code of the hub', async () => {
    refuse(400, { error: 'access_denied' });
    const client = await scene.connect('modern', alice);
    const authorization = {
      remediation: 'out_of_band',
      authorizationContextId: expect.stringMatching(EVENT_ID),
    };
    const data = { code: 'delegation_denied', connector_id: 'con_tools', authorization };
    const expected = { code: 403, data };
    await expect(client.readResource({ uri: 'legate://con-tools/a:b' })).rejects.toMatchObject(expected);
    await expect(client.getPrompt({ name: 'con-tools_p' })).rejects.toMatchObject(expected);
  });

  it.each<[Era]>([['modern'], ['legacy']])(
    'for an expired ID token asks a %s agent for another one',
    async (era) => {
      refuse(400, { error: 'invalid_grant' });
      const answer = await call(era);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer error="invalid_token",.*resource_metadata="http/),
      ]);
      expect(await answer.json()).toMatchObject({
        id: 1,
        error: { code: 401, data: { code: 'sign_in_required' } },
      });
    },
  );

  it('for lack of a stronger sign-in contains the required parameters', async () => {
    refuse(400, { error: 'insufficient_user_authentication', max_age: 300, acr_values: 'urn:mfa' });
    const answer = await call('modern');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", max_age="300", acr_values="urn:mfa", ' +
        'resource_metadata="http://localhost:4001/.well-known/oauth-protected-resource/mcp"',
    ]);
    expect((await answer.json()).error.data.authorization).toMatchObject({
      remediation: 'available',
      authorizationContextId: answer.headers.get('legate-call-id'),
      remediationHints: [{ type: 'legate/sign_in', max_age: 300, acr_values: 'urn:mfa' }],
    });
  });

  it('for lack of scopes is not a 403, because only the hub can obtain them', async () => {
    serve((_req, res) => {
      res.setHeader('WWW-Authenticate', 'Bearer error="insufficient_scope", scope="mcp:tools:read"');
      res.writeHead(403).end();
    });
    const answer = await call('modern');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([200, null]);
    expect((await resultOf(answer))._meta['legate/problem']).toEqual({
      code: 'delegation_denied',
      connector_id: 'con_tools',
      slug: 'con-tools',
      required_scope: 'mcp:tools:read',
    });
  });
});

describe('an unknown tool is refused', () => {
  it.each(['whoami', 'con-nobody_x', 'con_tools.x', 'con-tools_', '_x', 'con-tools', ''])(
    'with the name %j',
    async (name) => {
      const answer = await call('modern', name);
      expect([answer.status, (await answer.json()).error.code, scene.toolServer.calls.length]).toEqual([
        200, -32602, 0,
      ]);
    },
  );

  it('at a connector of another organization', async () => {
    const carol = await scene.idTokenOf('user_carol', { organization_id: 'org_globex' });
    expect((await (await call('modern', 'con-tools_x', { token: carol })).json()).error.code).toBe(-32602);
  });
});

describe('a hostile response', () => {
  it.each<[string, Handler, string]>([
    [
      'a redirect',
      (_req, res) => res.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
      'tool_server_error',
    ],
    ['a hundred megabytes', (_req, res) => endless(res), 'tool_server_error'],
    ['an event without end', (_req, res) => endless(res, 'text/event-stream', 'data: '), 'tool_server_error'],
    [
      'another id',
      (_req, res) => sendJson(res, 200, { jsonrpc: '2.0', id: 'x', result: {} }),
      'tool_server_error',
    ],
    [
      'a header mismatch',
      scriptedMcp({ 'tools/call': () => ({ error: { code: -32020, message: 'x' } }) }),
      'tool_server_error',
    ],
    [
      'another version',
      scriptedMcp({ 'tools/call': () => ({ error: { code: -32022, message: 'x' } }) }),
      'tool_server_error',
    ],
    [
      'an unknown type of result',
      scriptedMcp({ 'tools/call': () => ({ resultType: 'later' }) }),
      'tool_server_error',
    ],
    [
      'our token, in a result',
      scriptedMcp({
        'tools/call': ({ headers }) => ({ content: [{ type: 'text', text: headers.authorization }] }),
      }),
      'tool_server_error',
    ],
  ])('with %s becomes a failed tool call', async (_case, mcp, code) => {
    serve(mcp);
    for (const era of ['modern', 'legacy'] as const) {
      const answer = await call(era);
      const text = await answer.text();
      const { result } = JSON.parse(text);
      expect([answer.status, result.isError, result._meta['legate/problem'].code]).toEqual([200, true, code]);
      for (const token of scene.toolServer.issued) expect(text).not.toContain(token);
    }
  });

  it('with the token of the hub in an error or in progress does not reveal the token', async () => {
    serve(
      scriptedMcp({
        'tools/call': ({ headers, params, event }) => {
          const message = String(headers.authorization);
          event({
            method: 'notifications/progress',
            params: { progressToken: params._meta?.progressToken, progress: 1, message },
          });
          return params.name === 'x'
            ? { error: { code: -32602, message, data: 1 } }
            : { error: { code: -32602, message: 'no', data: { message } } };
        },
      }),
    );
    for (const name of ['con-tools_x', 'con-tools_y']) {
      const text = await (await call('modern', name, { meta: { progressToken: 1 } })).text();
      expect(JSON.parse(text).error).toEqual({ code: -32602, message: 'Invalid params' });
    }
  });

  it('that never arrives is abandoned at the deadline', async () => {
    await scene.stop();
    scene = await createAgentsScene({ app: { toolCallTimeoutMs: 300 } });
    alice = await scene.idTokenOf('user_alice');
    serve(() => {});
    const result = await resultOf(await call('modern'));
    expect([result.isError, result._meta['legate/problem']]).toEqual([
      true,
      { code: 'tool_server_unavailable', connector_id: 'con_tools', retry_after_seconds: 5 },
    ]);
  });
});

function endless(res: Parameters<Handler>[1], type = 'application/json', start = '') {
  res.writeHead(200, { 'Content-Type': type });
  res.write(start);
  const chunk = 'x'.repeat(65_536);
  const more = (): void => {
    while (!res.destroyed && res.write(chunk)) {}
  };
  res.on('drain', more);
  more();
}

describe.each(ERAS)("a %s tool server's error, for a %s agent", (server, agent) => {
  const error = (code: number) => ({ error: { code, message: 'no\\rows', data: { retry: [1.5] } } });

  it('keeps its code, message and data', async () => {
    script(
      {
        'tools/call': () => error(-32050),
        'prompts/get': () => error(-32051),
        'resources/read': () => error(-32052),
      },
      server,
    );
    const expected = (code: number) => ({ code, message: 'no\\rows', data: { retry: [1.5] } });
    const answer = await call(agent);
    expect([answer.status, (await answer.json()).error]).toEqual([200, expected(-32050)]);
    const client = await scene.connect(agent, alice);
    await expect(client.getPrompt({ name: 'con-tools_p' })).rejects.toMatchObject(expected(-32051));
    const read = client.readResource({ uri: 'legate://con-tools/a:b' });
    await expect(read).rejects.toMatchObject(expected(-32052));
    const decided = (await scene.audited()).map(({ details: { leg, rule } }) => `${leg}.${rule}`);
    expect(decided).toContain('tool_server.tool_failed');
  });

  it('with a code reserved for the hub becomes -32603', async () => {
    script({ 'tools/call': () => error(401) }, server);
    const answer = await call(agent);
    expect([answer.status, (await answer.json()).error.code]).toEqual([200, -32603]);
  });
});

describe('a capability that an agent has not declared', () => {
  const required = { requiredCapabilities: { sampling: {} } };
  const asking: Script = {
    'tools/call': ({ params }) =>
      params.name === 'x'
        ? { error: { code: -32021, message: 'about the hub', data: required } }
        : { resultType: 'input_required', inputRequests: { a: { method: 'sampling/createMessage' } } },
  };

  it.each(['con-tools_x', 'con-tools_y'])(
    'is named to a modern agent, with HTTP 400 too (%s)',
    async (name) => {
      script(asking);
      const answer = await call('modern', name);
      expect([answer.status, (await answer.json()).error]).toEqual([
        400,
        { code: -32021, message: expect.stringContaining('con_tools'), data: required },
      ]);
    },
  );

  it.each(['con-tools_x', 'con-tools_y'])(
    'is reported to an older agent as the failure of the tool (%s)',
    async (name) => {
      script(asking);
      const result = await resultOf(await call('legacy', name));
      expect([result.isError, result._meta['legate/problem'].code]).toEqual([
        true,
        'agent_capability_missing',
      ]);
    },
  );
});

describe('a value nested 200,000 deep', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  it.each([
    ['a result', '"content":[]'],
    ['a result with links', '"content":[{"type":"resource_link","uri":"a:b","name":"x"}]'],
    ['a result to be wrapped', '"structuredContent":[]'],
  ])('is passed on in %s', async (_case, members) => {
    await scene.stop();
    scene = await createAgentsScene({ app: { toolResultMaxBytes: 4_194_304 } });
    alice = await scene.idTokenOf('user_alice');
    for (const order of ['usual', 'other']) {
      serve((_req, res, body) => {
        const { id } = JSON.parse(body);
        const result = `"result":{"resultType":"complete",${members},"x":${deep}}`;
        res.setHeader('Content-Type', 'application/json');
        res.end(
          order === 'usual'
            ? `{"jsonrpc":"2.0","id":${id},${result}}`
            : `{"id":${id},${result},"jsonrpc":"2.0"}`,
        );
      });
      for (const era of ['modern', 'legacy'] as const) {
        const answer = await call(era);
        expect([answer.status, (await answer.text()).slice(0, 30)]).toEqual([
          200,
          expect.stringMatching(/^\{"jsonrpc":"2\.0","id":1,"resul/),
        ]);
      }
      const answer = await fetch(`${scene.url}/api/v1/connectors/con_tools/tools/x/call`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${alice}` },
      });
      expect(answer.status).toBe(200);
    }
  });

  it('in a tool of a list causes the tool to be omitted, also for an application', async () => {
    await scene.stop();
    scene = await createAgentsScene({ app: { toolResultMaxBytes: 4_194_304 } });
    alice = await scene.idTokenOf('user_alice');
    serve((_req, res, body) => {
      const { id } = JSON.parse(body);
      const tool = (name: string, more: string) =>
        `{"name":"${name}","inputSchema":{"type":"object"${more}}}`;
      res.setHeader('Content-Type', 'application/json');
      res.end(
        `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tool('a', '')},${tool('b', `,"x":${deep}`)}]}}`,
      );
    });
    const client = await scene.connect('modern', alice);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['con-tools_a']);
    const answer = await fetch(`${scene.url}/api/v1/connectors/con_tools/tools`, {
      headers: { Authorization: `Bearer ${alice}` },
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { tools: [{ name: 'a' }] }]);
  });
});

it('accepts no key reserved for the hub from a tool server', async () => {
  const _meta = { 'legate/problem': { code: 'sign_in_required' }, theirs: 1 };
  script({ 'tools/call': () => ({ content: [], _meta }) });
  const meta = (await resultOf(await call('modern')))._meta;
  expect(meta).toEqual({ theirs: 1, 'legate/call_id': expect.stringMatching(/^evt_/) });
});

it.each(['modern', 'legacy'] as const)(
  'content that is null is an empty list for a %s agent',
  async (era) => {
    script({ 'tools/call': () => ({ content: null, structuredContent: { n: 1 } }) });
    expect(await resultOf(await call(era))).toMatchObject({ content: [], structuredContent: { n: 1 } });
  },
);

describe('structured content that is not an object', () => {
  it('is wrapped for a legacy agent, as its revision requires, and unchanged for a modern one', async () => {
    script({ 'tools/call': () => ({ content: [], structuredContent: [1, 2] }) });
    expect(await resultOf(await call('legacy'))).toMatchObject({
      structuredContent: { result: [1, 2] },
      content: [{ type: 'text', text: '[1,2]' }],
    });
    expect(await resultOf(await call('modern'))).toMatchObject({ structuredContent: [1, 2], content: [] });
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    script({ 'tools/call': () => ({ content: [image], structuredContent: null }) });
    expect(await resultOf(await call('legacy'))).toMatchObject({
      structuredContent: { result: null },
      content: [image, { type: 'text', text: 'null' }],
    });
  });
});

describe('links to resources in a result', () => {
  it('name their connector at /mcp, which serves several', async () => {
    const content = [
      { type: 'resource_link', uri: 'notes://1', name: 'one' },
      { type: 'resource', resource: { uri: 'notes://2', text: 'two' } },
      { type: 'text', text: '"resource" notes://3' },
    ];
    script({ 'tools/call': () => ({ content }) });
    const result = await resultOf(await call('modern'));
    expect(result.content).toEqual([
      { type: 'resource_link', uri: 'legate://con-tools/notes://1', name: 'one' },
      { type: 'resource', resource: { uri: 'legate://con-tools/notes://2', text: 'two' } },
      content[2],
    ]);
    const client = await scene.connect('modern', alice, '/mcp/con_tools');
    expect((await client.callTool({ name: 'x', arguments: {} })).content).toEqual(content);
  });
});

describe('_meta', () => {
  it('of the agent is passed on, except for the hub’s own keys', async () => {
    let seen: Record<string, unknown> | undefined;
    script({
      'tools/call': ({ params }) => {
        seen = params._meta;
        return { content: [] };
      },
    });
    const meta = {
      traceparent: '00-1',
      'com.example/x': 1,
      'io.modelcontextprotocol/clientInfo': { name: 'evil' },
    };
    await call('modern', 'con-tools_x', { meta });
    expect(seen).toEqual({
      // The trace context of the agent is invalid, so the request belongs to a trace of the hub.
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
      'com.example/x': 1,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': expect.objectContaining({ name: 'legate-tool-hub' }),
      'io.modelcontextprotocol/clientCapabilities': {
        elicitation: {},
        extensions: expect.anything(),
      },
    });
  });
});

describe('a tool that requires an argument in a header', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    },
  };
  const wants: Script = {
    'tools/list': () => ({ tools: [{ name: 'x', inputSchema }] }),
    'tools/call': ({ headers }) =>
      headers['mcp-param-region'] === undefined
        ? { error: { code: -32020, message: 'Mcp-Param-Region is missing' } }
        : { content: [{ type: 'text', text: `${headers['mcp-param-region']} ${headers['mcp-param-n']}` }] },
  };
  const args = { arguments: { region: 'Zürich', deep: { n: 7 } } };
  const RIGHT = { 'Mcp-Param-Region': '=?base64?WsO8cmljaA==?=', 'Mcp-Param-N': '7' };

  it('gets it after the hub has read its list once', async () => {
    script(wants);
    for (const era of ['modern', 'legacy'] as const) {
      const result = await resultOf(await call(era, 'con-tools_x', { params: args }));
      expect(result.content[0].text).toBe('=?base64?WsO8cmljaA==?= 7');
    }
    expect(scene.toolServer.calls.map(({ message }) => message.method)).toEqual([
      'server/discover',
      'tools/call',
      'tools/list',
      'tools/call',
      'tools/call',
    ]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['what the body says', RIGHT, 200],
    ['an unknown header too', { ...RIGHT, 'Mcp-Param-Other': 'x' }, 200],
    ['no header', {}, 400],
    ['one header of two', { 'Mcp-Param-N': '7' }, 400],
    ['something else than the body', { ...RIGHT, 'Mcp-Param-Region': 'Bern' }, 400],
    ['what the body does not say', { ...RIGHT, 'Mcp-Param-N': '8' }, 400],
  ])('is called only if the agent sends the headers of its list: %s', async (_case, headers, status) => {
    script(wants);
    await scene.connect('modern', alice).then((client) => client.listTools());
    const before = scene.toolServer.calls.length;
    const answer = await call('modern', 'con-tools_x', { params: args, headers });
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect([(await answer.json()).error.code, scene.toolServer.calls.length]).toEqual([-32020, before]);
  });

  it('is called without a header for an argument that is absent or null', async () => {
    script({ ...wants, 'tools/call': () => ({ content: [] }) });
    await scene.connect('modern', alice).then((client) => client.listTools());
    const answer = await call('modern', 'con-tools_x', { params: { arguments: { region: null } } });
    expect(answer.status).toBe(200);
  });

  it('gets it from the official client, which has read its list', async () => {
    script(wants);
    const client = await scene.connect('modern', alice);
    await client.listTools();
    const { content } = await client.callTool({ name: 'con-tools_x', ...args });
    expect(content).toMatchObject([{ text: '=?base64?WsO8cmljaA==?= 7' }]);
  });

  it('gets it from an application too', async () => {
    script(wants);
    const answer = await fetch(`${scene.url}/api/v1/connectors/con_tools/tools/x/call`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${alice}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(args),
    });
    expect(await answer.json()).toMatchObject({ content: [{ text: '=?base64?WsO8cmljaA==?= 7' }] });
  });

  it('is not retried forever if it refuses every header', async () => {
    script({ ...wants, 'tools/call': () => ({ error: { code: -32020, message: 'no' } }) });
    const result = await resultOf(await call('modern', 'con-tools_x', { params: args }));
    expect([result.isError, scene.toolServer.calls.length]).toEqual([true, 4]);
  });
});

describe('a tool that asks for input', () => {
  const question = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
  const asking: Script = {
    'tools/call': ({ params }) =>
      params.requestState === 'state of theirs'
        ? { content: [{ type: 'text', text: JSON.stringify(params.inputResponses) }] }
        : {
            resultType: 'input_required',
            inputRequests: { sure: { method: 'elicitation/create', params: question } },
            requestState: 'state of theirs',
          },
  };
  const responses = { sure: { action: 'accept', content: {} } };
  const again = (requestState: unknown, options: { name?: string; token?: string } = {}) =>
    call('modern', options.name ?? 'con-tools_x', {
      params: { requestState, inputResponses: responses },
      ...(options.token && { token: options.token }),
    });

  it('gets the input from the agent, with its own state, which the agent cannot read', async () => {
    script(asking);
    const result = await resultOf(await call('modern'));
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { sure: { params: question } },
    });
    expect(Buffer.from(result.requestState, 'base64url').toString('latin1')).not.toContain('theirs');
    const done = await resultOf(await again(result.requestState));
    expect(JSON.parse(done.content[0].text)).toEqual(responses);
  });

  it('gets the input from the official client', async () => {
    script(asking);
    const client = await scene.connect('modern', alice);
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    const result = await client.callTool({ name: 'con-tools_x', arguments: {} });
    expect(result.content).toMatchObject([{ text: JSON.stringify(responses) }]);
  });

  it('gets no state of another connector, tool or user, no expired state, and none forged by the agent', async () => {
    script(asking);
    serve(scriptedMcp(asking), 'con_other');
    const { requestState } = await resultOf(await call('modern'));
    const bytes = Buffer.from(requestState, 'base64url');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const bob = await scene.idTokenOf('user_bob');
    const before = scene.toolServer.calls.length;
    for (const attempt of [
      () => again(requestState, { name: 'con-other_x' }),
      () => again(requestState, { name: 'con-tools_y' }),
      () => again(requestState, { token: bob }),
      () => again('state of theirs'),
      () => again(bytes.toString('base64url')),
      () => again(''),
      () => again(7),
    ])
      expect((await (await attempt()).json()).error?.code).toBe(-32602);
    scene.clock.advanceSeconds(901);
    const later = await scene.idTokenOf('user_alice');
    expect((await (await again(requestState, { token: later })).json()).error?.code).toBe(-32602);
    expect(scene.toolServer.calls.length).toBe(before);
    expect(scene.servers.get('con_other')?.calls.length).toBe(0);
  });

  it('fails with an explanation for a legacy agent and for an application', async () => {
    script(asking);
    const result = await resultOf(await call('legacy'));
    expect([result.isError, result._meta['legate/problem'].code]).toEqual([true, 'agent_capability_missing']);
    const answer = await fetch(`${scene.url}/api/v1/connectors/con_tools/tools/x/call`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${alice}` },
    });
    expect([answer.status, await answer.json()]).toMatchObject([502, { code: 'tool_server_error' }]);
  });
});

it('sends no token to another host, whatever a tool server returns', async () => {
  const stolen: unknown[] = [];
  const thief = await startServer((req, res) => {
    stolen.push(req.headers.authorization);
    res.end();
  });
  serve((_req, res) => res.writeHead(308, { Location: `${thief.url}/mcp`, Link: `<${thief.url}>` }).end());
  await call('modern');
  script({ 'tools/list': () => ({ ...tools('x'), nextCursor: `${thief.url}/mcp` }) });
  await scene.connect('modern', alice).then((client) => client.listTools());
  await thief.stop();
  expect(stolen).toEqual([]);
});

it('keeps the credentials of users apart when many call concurrently', async () => {
  const users = Array.from({ length: 30 }, (_, index) => `user_${index}`);
  const texts = await Promise.all(
    users.map(async (user) => {
      const result = await resultOf(
        await call('modern', 'con-tools_whoami', { token: await scene.idTokenOf(user) }),
      );
      return result.content[0].text;
    }),
  );
  expect(texts).toEqual(users);
});
