import { describe, expect, it } from '@jest/globals';
import { type ClientOptions, createClient, type Outcome } from './index.ts';
import { fakeHub, json, refusal, serveOneTool } from './testing/fake-hub.ts';

const over = (answer: Parameters<typeof fakeHub>[0]) => {
  const hub = fakeHub(answer);
  return { hub, legate: createClient({ ...hub.options, session: 'handle', agentId: 'agt_1' }) };
};
/** Creates a client whose only tool gives this response. */
const answering = (answer: () => Response) =>
  over((call) => (call.path.endsWith('/call') ? answer() : serveOneTool(call)));

describe('a call', () => {
  it('finds the tool by its name in the list, and requests the list only if necessary', async () => {
    const { hub, legate } = over(serveOneTool);
    const outcome = await legate.call('notes_create', { text: 'a' });
    await legate.call({ name: 'notes_create' });
    expect(outcome).toEqual({
      kind: 'result',
      content: [{ type: 'text', text: 'by handle' }],
      structuredContent: undefined,
      isError: false,
      actsAs: 'user',
      callId: 'evt_1',
    });
    expect(hub.calls.map(({ path, body }) => [path, body])).toEqual([
      ['/api/v1/connectors?limit=100&offset=0', undefined],
      ['/api/v1/connectors/con_1/tools', undefined],
      ['/api/v1/connectors/con_1/tools/create/call', { arguments: { text: 'a' } }],
      ['/api/v1/connectors/con_1/tools/create/call', { arguments: {} }],
    ]);
    expect(new Set(hub.calls.map(({ agentId }) => agentId))).toEqual(new Set(['agt_1']));
  });

  it.each<[string, () => Response, object]>([
    [
      'a tool that failed',
      () =>
        json({ content: [], isError: true, structuredContent: [1] }, 200, { 'Legate-Acts-As': 'service' }),
      { kind: 'result', isError: true, structuredContent: [1], actsAs: 'service' },
    ],
    [
      'connection_required',
      () =>
        refusal(403, 'connection_required', {
          ...{ connector_id: 'con_1', connector_name: 'Notes', required_scope: 'a b' },
        }),
      {
        kind: 'connection_required',
        connectorId: 'con_1',
        connectorName: 'Notes',
        requiredScope: 'a b',
      },
    ],
    [
      'a stronger sign-in',
      () => refusal(401, 'sign_in_required', { max_age: 60, acr_values: 'mfa' }),
      { kind: 'sign_in_required', reason: 'new_sign_in_wanted', maxAge: 60, acrValues: 'mfa' },
    ],
    [
      'a sign-in with claims',
      () => refusal(401, 'sign_in_required', { claims: '{"access_token":{}}' }),
      { kind: 'sign_in_required', reason: 'new_sign_in_wanted', claims: '{"access_token":{}}' },
    ],
    [
      'a token without an organization',
      () => refusal(401, 'organization_id_required'),
      { kind: 'sign_in_required', reason: 'no_organization' },
    ],
    [
      'a denial of the identity provider',
      () =>
        refusal(403, 'delegation_denied', {
          required_scope: 'a',
          authorization: { remediationHints: [{ type: 'legate/administrator', where: 'identity_provider' }] },
        }),
      {
        ...{ kind: 'denied', code: 'delegation_denied', who: 'identity_provider', requiredScope: 'a' },
        hints: [{ type: 'legate/administrator', where: 'identity_provider' }],
      },
    ],
    [
      'a denial of the tool server',
      () => refusal(403, 'tool_forbidden'),
      { kind: 'denied', who: 'tool_server' },
    ],
    [
      'a denial of the organization',
      () => refusal(403, 'agent_required'),
      { kind: 'denied', who: 'organization' },
    ],
    [
      'wrong arguments',
      () =>
        refusal(400, 'invalid_arguments', { errors: [{ pointer: '/arguments', code: 'x', detail: 'y' }] }),
      {
        kind: 'invalid',
        code: 'invalid_arguments',
        detail: 'invalid_arguments. /arguments: y',
        errors: [{ pointer: '/arguments', code: 'x', detail: 'y' }],
      },
    ],
    [
      'an invalid header, and an invalid body',
      () =>
        refusal(400, 'validation_failed', {
          detail: '2 fields are invalid.',
          errors: [
            { header: 'Legate-Agent-Id', code: 'invalid_format', detail: 'Must be the id of an agent.' },
            { pointer: '', code: 'invalid_type', detail: 'Must be an object.' },
          ],
        }),
      {
        kind: 'invalid',
        detail: '2 fields are invalid. Legate-Agent-Id: Must be the id of an agent. body: Must be an object.',
      },
    ],
    ['no such tool', () => refusal(404, 'tool_not_found'), { kind: 'not_found', code: 'tool_not_found' }],
    [
      'a limit',
      () => refusal(429, 'rate_limit_exceeded', {}, { 'Retry-After': '7' }),
      { kind: 'unavailable', code: 'rate_limit_exceeded', retryAfterSeconds: 7 },
    ],
    ['a misconfiguration', () => refusal(502, 'connector_misconfigured'), { kind: 'misconfigured' }],
    [
      'a code that it does not know, 403',
      () => refusal(403, 'brand_new'),
      { kind: 'denied', code: 'unknown', rawCode: 'brand_new' },
    ],
    [
      'a code that it does not know, 503',
      () => refusal(503, 'brand_new', {}, { 'Retry-After': 'later' }),
      { kind: 'unavailable', code: 'unknown', rawCode: 'brand_new', retryAfterSeconds: undefined },
    ],
    [
      'a code that it does not know, 409',
      () => refusal(409, 'constructor'),
      { kind: 'invalid', code: 'unknown' },
    ],
    [
      'a 401 that it does not know',
      () => refusal(401, 'brand_new'),
      { kind: 'sign_in_required', reason: 'unknown' },
    ],
    [
      'the page of a proxy',
      () => new Response('<h1>502</h1>', { status: 502 }),
      { kind: 'unavailable', code: 'unknown' },
    ],
    [
      'a page that says 200',
      () => new Response('<h1>hi</h1>'),
      { kind: 'unavailable', code: 'answer_unreadable' },
    ],
  ])('returns the outcome for %s', async (_case, answer, expected) => {
    const { hub, legate } = answering(answer);
    expect(await legate.call('notes_create')).toMatchObject(expected);
    expect(hub.calls).toHaveLength(3); // no request is repeated
  });

  it('reports a network fault, and does not repeat the call', async () => {
    const fault = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const { hub, legate } = over((call) => {
      if (call.path.endsWith('/call')) throw fault;
      return serveOneTool(call);
    });
    expect(await legate.call('notes_create')).toMatchObject({
      kind: 'unavailable',
      code: 'network',
      detail: 'The hub at https://hub.example cannot be reached, or the connection was lost: ECONNREFUSED.',
      cause: fault,
    });
    expect(hub.calls).toHaveLength(3);
  });

  it('throws the reason of an aborted signal, before and while it runs', async () => {
    const { legate } = over(
      (_call, { signal }) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new TypeError('network')), { once: true }),
        ),
    );
    const controller = new AbortController();
    const running = legate.call('notes_create', {}, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(running).rejects.toHaveProperty('name', 'AbortError');
    await expect(legate.call('notes_create', {}, { signal: AbortSignal.abort() })).rejects.toHaveProperty(
      'name',
      'AbortError',
    );
  });
});

describe('a list', () => {
  it('contains the tools of all connectors, and reports which are missing', async () => {
    const { legate } = over(({ path }) => {
      const { searchParams, pathname } = new URL(path, 'https://hub.example');
      const offset = Number(searchParams.get('offset'));
      if (pathname === '/api/v1/connectors')
        return json({
          data: [{ id: `con_${offset + 1}`, slug: `slug-${offset + 1}`, name: `Connector ${offset + 1}` }],
          pagination: { has_more: offset < 2 },
        });
      if (path.includes('con_2')) return refusal(403, 'connection_required', { connector_id: 'con_2' });
      const [, id] = /con_(\d)/.exec(path) ?? [];
      const tool = {
        ...{
          name: 'a',
          mcp_name: `slug-${id}_a`,
          description: 'A',
          inputSchema: { type: 'object', title: 'x' },
        },
        ...{ annotations: { title: 'Tool A', readOnlyHint: true, destructiveHint: 'no' } },
        ...{ _meta: { 'legate/approval': 'required' }, outputSchema: { type: 'object' } },
      };
      return json({ tools: [tool, { name: 'a b' }] });
    });
    const { tools, leftOut, failure } = await legate.tools();
    expect(tools.map(({ name }) => name)).toEqual(['slug-1_a', 'slug-3_a']);
    expect(tools[0]).toEqual({
      ...{ name: 'slug-1_a', connectorId: 'con_1', slug: 'slug-1', title: 'Tool A', description: 'A' },
      ...{
        inputSchema: { type: 'object', title: 'x' },
        outputSchema: { type: 'object' },
        approval: 'required',
      },
      annotations: { title: 'Tool A', readOnlyHint: true },
    });
    expect([leftOut, failure]).toEqual([
      [
        { connectorId: 'con_1', slug: 'slug-1', connectorName: 'Connector 1', unusable: 1 },
        expect.objectContaining({
          connectorId: 'con_2',
          connectorName: 'Connector 2',
          failure: expect.objectContaining({ connectorId: 'con_2' }),
        }),
        { connectorId: 'con_3', slug: 'slug-3', connectorName: 'Connector 3', unusable: 1 },
      ],
      undefined,
    ]);
    // The connector's slug is in front of the names of its tools.
    expect((await legate.call('slug-2_a')).kind).toBe('connection_required');
    expect(await legate.call('slug-4_a')).toMatchObject({ kind: 'not_found', code: 'tool_not_found' });
  });

  it('that cannot be read reports the reason, and so does a call', async () => {
    const { legate } = over(() => refusal(403, 'organization_suspended'));
    const denied = { kind: 'denied', code: 'organization_suspended', who: 'organization' };
    expect(await legate.tools()).toEqual({
      tools: [],
      leftOut: [],
      failure: expect.objectContaining(denied),
    });
    expect(await legate.call('notes_create')).toMatchObject(denied);
  });
});

describe('the remedy for a failure', () => {
  it('is a link with the missing scopes', async () => {
    const { hub, legate } = over((call) => {
      if (call.path.endsWith('/connections'))
        return json({ authorize_url: 'https://hub.example/c', expires_at: '2026-01-02T03:04:05Z' }, 201);
      if (call.path.endsWith('/call'))
        return refusal(403, 'connection_required', { connector_id: 'con_1', required_scope: 'a b' });
      return serveOneTool(call);
    });
    const outcome = await legate.call('notes_create');
    if (outcome.kind !== 'connection_required') throw new Error(outcome.kind);
    expect(await outcome.connect({ returnTo: 'https://app.example/' })).toEqual({
      kind: 'link',
      authorizeUrl: 'https://hub.example/c',
      expiresAt: new Date('2026-01-02T03:04:05Z'),
    });
    expect(hub.calls.at(-1)).toMatchObject({
      path: '/api/v1/connectors/con_1/connections',
      body: { scopes: ['a', 'b'], return_to: 'https://app.example/' },
    });
    expect(
      await createClient({
        ...fakeHub(() => refusal(409, 'connection_not_used')).options,
        session: 's',
      }).connect('c'),
    ).toMatchObject({ kind: 'invalid', code: 'connection_not_used' });
  });

  it('is the explanation of the call', async () => {
    const { legate } = over((call) => {
      if (call.path === '/api/v1/calls/evt_1/explanation')
        return json({
          call_id: 'evt_1',
          user_id: 'user_alice',
          client_id: 'app',
          agent_id: 'agt_1',
          agent_name: 'Helper',
          action: 'tool.denied',
          agent_authenticated: true,
          outcome: 'denied',
          leg: 'idp',
          rule: 'policy_denied',
          summary: 'No.',
          reason: null,
        });
      if (call.path.endsWith('/call'))
        return refusal(403, 'delegation_denied', {}, { 'Legate-Call-Id': 'evt_1' });
      return serveOneTool(call);
    });
    const outcome = await legate.call('notes_create');
    if (outcome.kind !== 'denied') throw new Error(outcome.kind);
    const about = {
      kind: 'explanation',
      callId: 'evt_1',
      userId: 'user_alice',
      clientId: 'app',
      agentId: 'agt_1',
      agentName: 'Helper',
      action: 'tool.denied',
      isAgentAuthenticated: true,
      rule: 'policy_denied',
      summary: 'No.',
      reason: undefined,
    };
    expect(await outcome.explain()).toMatchObject(about);
    expect(await legate.explain('evt_2')).toMatchObject({ kind: 'not_found' });
  });

  it('is no explanation if no tool was called', async () => {
    const { hub, legate } = over(() => refusal(403, 'organization_suspended'));
    const { failure } = await legate.tools();
    if (failure?.kind !== 'denied') throw new Error(failure?.kind);
    expect(await failure.explain()).toMatchObject({ kind: 'not_found', code: 'call_not_found' });
    expect(hub.calls).toHaveLength(1);
  });
});

it.each<[string, object]>([
  ['no credential', {}],
  ['two credentials', { session: 's', idToken: () => 'id' }],
  ['a token that is no function', { idToken: 'id' }],
  ['an empty handle', { session: '' }],
  ['http', { session: 's', hub: 'http://hub.example' }],
  ['no URL', { session: 's', hub: 'hub.example' }],
  ['a password in the URL', { session: 's', hub: 'https://a@hub.example' }],
  ['the address of MCP clients', { session: 's', hub: 'https://hub.example/mcp/' }],
  ['a session that is no object', { idToken: () => 'id', openSession: true }],
])('refuses %s', (_case, options) => {
  expect(() => createClient({ hub: 'https://hub.example', ...options } as ClientOptions)).toThrow(TypeError);
});

it.each<[string, object, string]>([
  ['http', { hub: 'http://hub.example' }, 'it is "http://hub.example"'],
  ['an option written otherwise', { agentID: 'agt_1' }, 'no option agentID: use agentId'],
  ['an option that does not exist', { agent: 'agt_1' }, 'no option agent'],
  ['several', { agent: 'agt_1', FETCH: fetch }, 'no option agent, FETCH: use fetch'],
  [
    'an option of the session',
    { session: undefined, idToken: () => 'id', openSession: { refreshtoken: 'r' } },
    'no option openSession.refreshtoken: use openSession.refreshToken',
  ],
])('names what it refuses: %s', (_case, options, expected) => {
  const given = { hub: 'https://hub.example', session: 's', ...options } as ClientOptions;
  expect(() => createClient(given)).toThrow(expected);
});

it('does not repeat a password of the URL in its error', () => {
  const hub = 'https://user:pass@hub.example';
  expect(() => createClient({ hub, session: 's' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('pass') }),
  );
});

it.each(['http://localhost:4001', 'http://127.0.0.1:4001/', 'http://[::1]:4001', 'https://a.example/hub/'])(
  'sends tokens to %s',
  async (hub) => {
    const fake = fakeHub(serveOneTool);
    await createClient({ ...fake.options, hub, session: 's' }).explain('x');
    expect(fake.calls).toHaveLength(1);
  },
);

it.each<[string, unknown, unknown]>([
  ['no name', '', {}],
  ['arguments that are no object', 'notes_create', []],
])('throws for %s', async (_case, name, args) => {
  await expect(
    over(serveOneTool).legate.call(name as string, args as Record<string, unknown>),
  ).rejects.toThrow(TypeError);
});

it('has a closed set of outcomes, which a switch must handle completely', () => {
  const read = ({ kind }: Outcome): string => {
    switch (kind) {
      case 'result':
      case 'connection_required':
      case 'sign_in_required':
      case 'denied':
      case 'not_found':
      case 'invalid':
      case 'unavailable':
        return kind;
      default: {
        const rest: 'misconfigured' = kind; // does not compile if there is another kind
        return rest;
      }
    }
  };
  expect(read({ kind: 'result' } as Outcome)).toBe('result');
});
