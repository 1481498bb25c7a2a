import { describe, expect, it } from '@jest/globals';
import { createClient } from './index.ts';
import { fakeHub, type HubCall, json, refusal } from './testing/fake-hub.ts';

interface Message {
  readonly method: string;
  readonly params: {
    readonly name?: string;
    readonly cursor?: string;
    readonly inputResponses?: unknown;
    readonly _meta: Readonly<Record<string, unknown>>;
  };
}
type Result = Record<string, unknown>;

const listed = (name: string, schema: object = {}) => ({
  ...{ name: `notes_${name}`, inputSchema: { type: 'object', ...schema } },
  _meta: { 'legate/tool': { connector_id: 'con_1', slug: 'notes', name }, 'legate/approval': 'required' },
});
const rpc = (result: Result, headers = {}) => json({ jsonrpc: '2.0', id: 1, result }, 200, headers);
const error = (code: number, message: string, data?: object, status = 200) =>
  json({ jsonrpc: '2.0', id: 1, error: { code, message, data } }, status, { 'Legate-Call-Id': 'evt_1' });
const stream = (...messages: readonly object[]) =>
  new Response(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), {
    headers: { 'Content-Type': 'text/event-stream' },
  });

function over(
  answer: (message: Message, headers: Headers) => Response,
  options: Pick<Parameters<typeof createClient>[0], 'onElicitation'> = {},
) {
  const hub = fakeHub((call: HubCall, init) => answer(call.body as Message, new Headers(init.headers)));
  return { hub, legate: createClient({ ...hub.options, session: 'handle', transport: 'mcp', ...options }) };
}

describe('a list', () => {
  it('contains all pages, and reports what is missing', async () => {
    const { legate } = over(({ params: { cursor } }) =>
      cursor === undefined
        ? rpc({
            tools: [listed('a'), { name: 'of_nobody', inputSchema: {} }],
            nextCursor: 'next',
            _meta: {
              'legate/left_out': [
                { connector_id: 'con_2', code: 'delegation_denied' },
                { connector_id: 'con_3', code: 'items_unusable', count: 2 },
                { connector_id: 'con_4', code: 'list_too_long' },
                { connector_id: 'con_5', code: 'brand_new' },
              ],
            },
          })
        : rpc({ tools: [listed('b')] }),
    );
    const { tools, leftOut } = await legate.tools();
    expect(tools.map(({ name, connectorId, slug, approval }) => [name, connectorId, slug, approval])).toEqual(
      [
        ['notes_a', 'con_1', 'notes', 'required'],
        ['notes_b', 'con_1', 'notes', 'required'],
      ],
    );
    expect(leftOut).toMatchObject([
      { connectorId: 'con_2', failure: { kind: 'denied', code: 'delegation_denied' } },
      { connectorId: 'con_3', unusable: 2 },
      { connectorId: 'con_4', failure: { kind: 'misconfigured', code: 'tool_server_error' } },
      { connectorId: 'con_5', failure: { kind: 'unavailable', code: 'unknown', rawCode: 'brand_new' } },
    ]);
  });

  it('that is refused reports the reason', async () => {
    const { legate } = over(() => error(401, 'expired', { code: 'token_expired', reason: 'expired' }, 401));
    expect(await legate.tools()).toMatchObject({ failure: { kind: 'sign_in_required', reason: 'expired' } });
  });
});

describe('a call', () => {
  it.each<[string, () => Response, object]>([
    [
      'a result',
      () =>
        rpc({
          content: [{ type: 'text', text: 'hi' }],
          structuredContent: 7,
          _meta: { 'legate/call_id': 'evt_2', 'legate/acts_as': 'service' },
        }),
      { kind: 'result', structuredContent: 7, isError: false, callId: 'evt_2', actsAs: 'service' },
    ],
    [
      'a denial',
      () =>
        rpc({
          content: [{ type: 'text', text: 'For the model.' }],
          isError: true,
          _meta: {
            'legate/problem': { code: 'delegation_denied', required_scope: 'a' },
            'legate/call_id': 'evt_2',
            'legate/authorization': {
              remediationHints: [{ type: 'legate/administrator', where: 'identity_provider' }],
            },
          },
        }),
      {
        kind: 'denied',
        who: 'identity_provider',
        detail: 'For the model.',
        requiredScope: 'a',
        callId: 'evt_2',
      },
    ],
    [
      'an outage',
      () =>
        rpc({
          isError: true,
          _meta: { 'legate/problem': { code: 'tool_server_unavailable', retry_after_seconds: 5 } },
        }),
      { kind: 'unavailable', code: 'tool_server_unavailable', retryAfterSeconds: 5 },
    ],
    [
      'no such tool',
      () => error(-32602, 'no', { code: 'tool_not_found' }),
      { kind: 'not_found', callId: 'evt_1' },
    ],
    [
      'wrong arguments',
      () => error(-32602, 'text is missing'),
      { kind: 'invalid', detail: 'text is missing' },
    ],
    ['a missing capability', () => error(-32021, 'ask', {}, 400), { code: 'agent_capability_missing' }],
    ['an error of the tool server', () => error(-32000, 'boom'), { kind: 'misconfigured' }],
    ['a limit', () => error(429, 'slow', { code: 'rate_limit_exceeded' }, 429), { kind: 'unavailable' }],
    [
      'a code that it does not know',
      () => error(403, 'no', { code: 'brand_new' }),
      { kind: 'denied', code: 'unknown' },
    ],
    [
      'a stream that ends',
      () => stream({ jsonrpc: '2.0', method: 'x' }),
      {
        kind: 'unavailable',
        code: 'network',
        detail: 'The hub at https://hub.example cannot be reached, or the connection was lost.',
      },
    ],
    ['a page', () => new Response('<h1>'), { kind: 'unavailable', code: 'answer_unreadable' }],
  ])('returns the outcome for %s', async (_case, answer, expected) => {
    const { hub, legate } = over(answer);
    expect(await legate.call('notes_a')).toMatchObject(expected);
    expect(hub.calls).toHaveLength(1);
  });

  it('is self-contained: each request has all headers and metadata', async () => {
    let seen: unknown;
    const { hub, legate } = over((_message, headers) => {
      seen = Object.fromEntries(headers);
      return rpc({ content: [] });
    });
    await legate.call('notes_a', { text: 'x' });
    expect(seen).toMatchObject({
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'notes_a',
    });
    expect(hub.calls).toMatchObject([
      {
        path: '/mcp',
        token: 'handle',
        body: {
          params: {
            name: 'notes_a',
            arguments: { text: 'x' },
            _meta: { 'io.modelcontextprotocol/clientCapabilities': {} },
          },
        },
      },
    ]);
  });

  it('reports its progress while the tool runs', async () => {
    const progress: unknown[] = [];
    const note = (params: object) => ({ jsonrpc: '2.0', method: 'notifications/progress', params });
    const { legate } = over(({ params }) => {
      expect(params._meta.progressToken).toBe(1);
      return stream(
        note({ progressToken: 1, progress: 1, total: 2, message: 'half' }),
        note({ progress: 'x' }),
        note({ progressToken: 1, progress: 2 }),
        { jsonrpc: '2.0', id: 1, result: { content: [] } },
      );
    });
    const outcome = await legate.call('notes_a', {}, { onProgress: (each) => progress.push(each) });
    expect([outcome.kind, progress]).toEqual([
      'result',
      [{ progress: 1, total: 2, message: 'half' }, { progress: 2 }],
    ]);
  });

  it('has the headers that its tool requires, also if the client learns them from a refusal', async () => {
    const schema = { properties: { text: { type: 'string', 'x-mcp-header': 'Text' } } };
    const { hub, legate } = over(({ method }, headers) => {
      if (method === 'tools/list') return rpc({ tools: [listed('a', schema)] });
      return headers.get('Mcp-Param-Text') === 'x'
        ? rpc({ content: [] })
        : error(-32020, 'header mismatch', undefined, 400);
    });
    expect((await legate.call('notes_a', { text: 'x' })).kind).toBe('result');
    expect((await legate.call('notes_a', { text: 'x' })).kind).toBe('result');
    expect(hub.calls.map(({ body }) => (body as Message).method)).toEqual([
      ...['tools/call', 'tools/list', 'tools/call'],
      'tools/call',
    ]);
  });

  it('passes a question of the tool to the user', async () => {
    const question = { message: 'Sure?', requestedSchema: { type: 'object' } };
    const asked: unknown[] = [];
    const { legate } = over(
      ({ params }) => {
        expect(params._meta['io.modelcontextprotocol/clientCapabilities']).toEqual({
          elicitation: { form: {} },
        });
        return params.inputResponses
          ? rpc({ content: [], structuredContent: params })
          : rpc({
              resultType: 'input_required',
              inputRequests: { sure: { method: 'elicitation/create', params: question } },
              requestState: 'sealed',
            });
      },
      {
        onElicitation: (request, tool) => {
          asked.push([request, tool]);
          return { action: 'accept', content: { yes: true } };
        },
      },
    );
    expect(await legate.call('notes_a')).toMatchObject({
      structuredContent: {
        inputResponses: { sure: { action: 'accept', content: { yes: true } } },
        requestState: 'sealed',
      },
    });
    expect(asked).toEqual([[question, 'notes_a']]);
  });

  it('ends if a tool does not stop asking questions', async () => {
    const { hub, legate } = over(() => rpc({ resultType: 'input_required' }), {
      onElicitation: () => ({ action: 'cancel' }),
    });
    expect((await legate.call('notes_a')).kind).toBe('unavailable');
    expect(hub.calls).toHaveLength(10);
  });

  it('gets its explanation from the REST API', async () => {
    const hub = fakeHub(({ path }) =>
      path === '/mcp'
        ? rpc({
            isError: true,
            _meta: { 'legate/problem': { code: 'connector_misconfigured' }, 'legate/call_id': 'evt_2' },
          })
        : path === '/api/v1/calls/evt_2/explanation'
          ? json({ call_id: 'evt_2', rule: 'discovery_unusable' })
          : refusal(404, 'not_found'),
    );
    const outcome = await createClient({ ...hub.options, session: 's', transport: 'mcp' }).call('notes_a');
    if (outcome.kind !== 'misconfigured') throw new Error(outcome.kind);
    expect(await outcome.explain()).toMatchObject({ rule: 'discovery_unusable' });
  });
});
