import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryBackend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import request from 'supertest';
import { callWhoami } from './testing/call-whoami.ts';
import { createLateToken } from './testing/late-token.ts';
import { createScene, type Scene } from './testing/scene.ts';
import { scriptedMcp, tools } from './testing/scripted-mcp.ts';

let scene: Scene;
let alice: string;

beforeEach(async () => {
  scene = await createScene();
  alice = await scene.idTokenOf('user_alice');
});

afterEach(() => scene.stop());

const call = (token: string, tool = 'whoami', body: object = { arguments: {} }, connector = 'con_tools') =>
  request(scene.app)
    .post(`/api/v1/connectors/${connector}/tools/${tool}/call`)
    .set('Authorization', `Bearer ${token}`)
    .send(body);

const get = (path: string, token: string) =>
  request(scene.app).get(`/api/v1${path}`).set('Authorization', `Bearer ${token}`);

const signOut = (token: string) =>
  request(scene.app).delete('/api/v1/tokens').set('Authorization', `Bearer ${token}`);

/** Sends a body in chunks, without a Content-Length. */
async function postPieces(tool: string, pieces: readonly Uint8Array[]) {
  const server = scene.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/connectors/con_tools/tools/${tool}/call`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${alice}`, 'Content-Type': 'application/json; charset="UTF-8"' },
    body: ReadableStream.from(pieces),
    duplex: 'half',
  });
  server.close();
  return answer;
}

const tokenKeys = () => [...scene.entries.keys()].filter((key) => key.startsWith('token:'));

describe('a tool call', () => {
  it('runs as the caller, and returns the CallToolResult itself', async () => {
    const res = await call(alice);
    expect([res.status, res.body]).toEqual([
      200,
      { resultType: 'complete', content: [{ type: 'text', text: 'user_alice' }] },
    ]);
    expect(res.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(res.get('Cache-Control')).toBe('no-store');
    expect(res.get('X-Request-Id')).toMatch(/^req_/);
  });

  it('sends the token exchange and the grant as specified, the grant with scope and resource', async () => {
    await call(alice);
    const { resource } = scene.toolServer;
    expect(Object.fromEntries(scene.idp.exchanges[0] ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: alice,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      audience: resource,
      resource,
      scope: 'mcp:tools:read mcp:tools:call',
      client_id: 'tool-hub',
      client_secret: 'tool-hub-secret',
    });
    expect(Object.fromEntries(scene.toolServer.redemptions[0]?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: scene.idp.issued[1],
      client_id: 'hub-at-server',
      client_secret: 'hub-at-server-secret',
      scope: 'mcp:tools:read mcp:tools:call',
      resource,
    });
  });

  it('makes one exchange, and returns the id of the call', async () => {
    expect((await call(alice)).get('Legate-Token-Cache')).toBe('miss');
    expect((await call(alice)).get('Legate-Token-Cache')).toBe('hit');
    expect([scene.idp.exchanges.length, scene.toolServer.redemptions.length]).toEqual([1, 1]);
    expect(tokenKeys()).toEqual(['token:org_acme:con_tools:user_alice']);
  });

  it.each([
    [3600, 3300],
    [600, 300],
  ])('caches a token that expires in %i seconds for %i seconds', async (expiresIn, ttlSeconds) => {
    scene.toolServer.expiresIn = expiresIn;
    await call(alice);
    expect(tokenKeys().map((key) => scene.entries.get(key)?.ttlSeconds)).toEqual([ttlSeconds]);
  });

  it.each([[300], [299], [undefined]])(
    'uses a token that expires in %s seconds once, without caching it',
    async (expiresIn) => {
      scene.toolServer.expiresIn = expiresIn;
      const answers = [await call(alice), await call(alice)];
      expect(answers.map((res) => [res.status, res.get('Legate-Token-Cache')])).toEqual([
        [200, 'miss'],
        [200, 'miss'],
      ]);
      expect([tokenKeys(), scene.idp.exchanges.length]).toEqual([[], 2]);
    },
  );

  it('passes arguments on unchanged', async () => {
    const args = {
      text: '"}],\u2028é\u0000',
      nested: { list: [1, null, true, 1e21] },
      constructor: { a: 1 },
    };
    const res = await call(alice, 'echo', { arguments: args });
    expect(JSON.parse(res.body.content[0].text)).toEqual(args);
  });

  it('returns a failed result as the tool server sent it', async () => {
    const res = await call(alice, 'fails');
    expect([res.status, res.body.isError]).toEqual([200, true]);
  });

  it("drops keys of a tool server's result that are reserved for the hub", async () => {
    const meta = { 'legate/approval': 'not-required', 'com.example/a': 1 };
    scene.toolServer.misbehaviour = {
      mcp: scriptedMcp({
        'tools/list': () => tools('whoami'),
        'tools/call': () => ({ content: [], _meta: meta }),
      }),
    };
    expect((await call(alice)).body._meta).toEqual({ 'com.example/a': 1 });
  });

  it('accepts a body in chunks, and with a charset in its media type', async () => {
    const pieces = [...Buffer.from('{"arguments":{"text":"é"}}')].map((byte) => Uint8Array.of(byte));
    const answer = await postPieces('echo', pieces);
    expect(await answer.text()).toContain('é');
  });

  it('needs no body, and sends its own request id in the response', async () => {
    const res = await request(scene.app)
      .post('/api/v1/connectors/con_tools/tools/whoami/call')
      .set({ Authorization: `Bearer ${alice}`, 'X-Request-Id': 'chain-0123456789' });
    expect([res.status, res.get('X-Request-Id')]).toEqual([200, expect.stringMatching(/^req_/)]);
  });
});

describe('refuses', () => {
  const problem = (status: number, code: string) => ({ status, code });

  it.each([
    ['a tool that does not exist', 'no_such_tool', {}, problem(404, 'tool_not_found')],
    ['arguments that the tool does not take', 'notes', {}, problem(400, 'invalid_arguments')],
    ['a body that is no object', 'whoami', [], problem(400, 'validation_failed')],
    ['an unknown member', 'whoami', { args: {} }, problem(400, 'validation_failed')],
    ['a failure of the tool server', 'broken', {}, problem(502, 'tool_server_error')],
  ])('%s', async (_case, tool, body, expected) => {
    const res = await call(alice, tool, body);
    expect([res.status, res.get('Content-Type')]).toEqual([
      expected.status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(res.body).toMatchObject({
      ...expected,
      type: `http://hub.test/errors/${expected.code}`,
      instance: `/api/v1/connectors/con_tools/tools/${tool}/call`,
      request_id: res.get('X-Request-Id'),
    });
  });

  it("to pass on a tool server's own message about its failure", async () => {
    expect((await call(alice, 'broken')).text).not.toContain('stack trace of theirs');
  });

  it.each([
    ['malformed JSON', '{"arguments":', 'application/json', 400, 'malformed_json'],
    ['a form', 'arguments=1', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    [
      'a megabyte and more',
      `{"arguments":{"a":"${'a'.repeat(1_048_576)}"}}`,
      'application/json',
      413,
      'payload_too_large',
    ],
    [
      'JSON nested a hundred thousand deep',
      `{"arguments":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      'application/json',
      400,
      'validation_failed',
    ],
  ])('%s', async (_case, body, type, status, code) => {
    const res = await request(scene.app)
      .post('/api/v1/connectors/con_tools/tools/whoami/call')
      .set({ Authorization: `Bearer ${alice}`, 'Content-Type': type })
      .send(body);
    expect([res.status, res.body.code]).toEqual([status, code]);
    expect(scene.toolServer.calls).toEqual([]);
  });

  it.each<[string, Record<string, string>, Buffer | string, number]>([
    ['a compressed body', { 'Content-Encoding': 'gzip' }, gzipSync('{}'), 415],
    ['a body in another charset', { 'Content-Type': 'application/json; charset=latin1' }, '{}', 415],
    ['a body that only calls itself UTF-8', {}, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['a body without a type', { 'Content-Type': '' }, '{}', 415],
  ])('%s', async (_case, headers, body, status) => {
    const sending = request(scene.app)
      .post('/api/v1/connectors/con_tools/tools/whoami/call')
      .set({ Authorization: `Bearer ${alice}`, 'Content-Type': 'application/json', ...headers })
      .serialize((value) => value);
    const res = await sending.send(body);
    expect([res.status, scene.toolServer.calls]).toEqual([status, []]);
  });

  it('an endless body, once it exceeds a megabyte', async () => {
    const answer = await postPieces('echo', Array(17).fill(Buffer.alloc(65_536, ' ')));
    expect([answer.status, scene.toolServer.calls]).toEqual([413, []]);
  });

  it.each([
    ['/connectors/%ff/tools', 400, 'malformed_path'],
    ['/connectors/con_none/tools', 404, 'connector_not_found'],
    ['/connectors/con_globex_only/tools', 404, 'connector_not_found'],
    ['/connectors?limit=0', 400, 'validation_failed'],
    ['/connectors?page=2', 400, 'validation_failed'],
    ['/nothing', 404, 'not_found'],
  ])('GET %s', async (path, status, code) => {
    const res = await get(path, alice);
    expect([res.status, res.body.code]).toEqual([status, code]);
  });

  it('an unauthenticated caller on every path, before any lookup', async () => {
    for (const path of ['/api/v1/connectors', '/api/v1/connectors/con_none/tools', '/api/v1/nothing']) {
      const res = await request(scene.app).get(path);
      expect([path, res.status, res.body.code]).toEqual([path, 401, 'token_missing']);
      expect(res.get('WWW-Authenticate')).toBe('Bearer realm="tool-hub"');
    }
  });

  it('a user without an organization', async () => {
    const res = await call(await scene.idTokenOf('user_dave', { organization_id: undefined }));
    expect([res.status, res.body.code]).toEqual([401, 'organization_id_required']);
  });
});

describe('connectors', () => {
  it("are those of the caller's organization, without their secrets", async () => {
    const res = await get('/connectors', alice);
    expect(res.body).toEqual({
      data: [
        {
          id: 'con_tools',
          slug: 'con-tools',
          name: 'Tools',
          resource: scene.toolServer.resource,
          auth_method: 'id-jag',
          scopes: ['mcp:tools:read', 'mcp:tools:call'],
        },
      ],
      pagination: { total: 1, limit: 20, offset: 0, has_more: false },
    });
    expect(res.text).not.toContain('secret');
    const carol = await scene.idTokenOf('user_carol', { organization_id: 'org_globex' });
    const ofGlobex = await get('/connectors?limit=1&offset=1', carol);
    expect(ofGlobex.body.data.map(({ id }: { id: string }) => id)).toEqual(['con_globex_only']);
  });

  it('return all pages of their tools, with unchanged schemas', async () => {
    const res = await get('/connectors/con_tools/tools', alice);
    expect(res.body).toEqual({
      tools: [
        {
          name: 'whoami',
          description: 'Who calls',
          inputSchema: { type: 'object' },
          mcp_name: 'con-tools_whoami',
        },
        {
          name: 'notes',
          inputSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            $defs: { text: { type: 'string' } },
            properties: { text: { $ref: '#/$defs/text' } },
            additionalProperties: false,
          },
          mcp_name: 'con-tools_notes',
        },
      ],
    });
  });
});

describe('one exchange', () => {
  it('serves two hundred concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => call(alice)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.content[0].text}`))).toEqual(
      new Set(['200 user_alice']),
    );
    expect([scene.idp.exchanges.length, scene.toolServer.redemptions.length]).toEqual([1, 1]);
  });

  it('serves two hundred concurrent calls even if the token must not be cached', async () => {
    scene.toolServer.expiresIn = 60;
    await Promise.all(Array.from({ length: 200 }, () => call(alice)));
    // Calls that arrived after an exchange had ended need another one.
    expect(scene.idp.exchanges.length).toBeLessThan(200);
  });

  it('is never shared by two users, organizations, or ID tokens', async () => {
    const tokens = [
      alice,
      await scene.idTokenOf('user_alice', { auth_time: 1 }),
      await scene.idTokenOf('user_bob'),
      await scene.idTokenOf('user_alice', { organization_id: 'org_globex' }),
    ];
    const callers = Array.from({ length: 40 }, (_, index) => tokens[index % tokens.length] ?? '');
    const answers = await Promise.all(callers.map((token) => call(token)));
    answers.forEach((res, index) => {
      expect(res.body.content[0].text).toBe(index % tokens.length === 2 ? 'user_bob' : 'user_alice');
    });
    expect(new Set(scene.idp.exchanges.map((form) => form.get('subject_token')))).toEqual(new Set(tokens));
    expect(tokenKeys().sort()).toEqual([
      'token:org_acme:con_tools:user_alice',
      'token:org_acme:con_tools:user_bob',
      'token:org_globex:con_tools:user_alice',
    ]);
  });

  it('rejects all waiting calls when it fails, and its failure is not cached', async () => {
    scene.idp.misbehaviour = { claims: { aud: 'https://other.example' } };
    const answers = await Promise.all([call(alice), call(alice)]);
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    scene.idp.misbehaviour = {};
    expect((await call(alice)).status).toBe(200);
  });
});

describe('sign-out', () => {
  it("deletes the caller's tokens and keeps those of others", async () => {
    const bob = await scene.idTokenOf('user_bob');
    const aliceAtGlobex = await scene.idTokenOf('user_alice', { organization_id: 'org_globex' });
    await Promise.all([call(alice), call(bob), call(aliceAtGlobex)]);
    const res = await signOut(alice);
    expect([res.status, res.text]).toEqual([204, '']);
    const tokens = tokenKeys();
    expect(tokens.sort()).toEqual([
      'token:org_acme:con_tools:user_bob',
      'token:org_globex:con_tools:user_alice',
    ]);
    expect(
      (await call(await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' }))).get(
        'Legate-Token-Cache',
      ),
    ).toBe('miss');
    expect((await call(bob)).get('Legate-Token-Cache')).toBe('hit');
  });

  it('ends the presented ID token and earlier ones, but none of another organization', async () => {
    const other = await scene.idTokenOf('user_alice', { jti: 'of-another-application' });
    const atGlobex = await scene.idTokenOf('user_alice', { organization_id: 'org_globex' });
    scene.clock.advanceSeconds(10);
    const latest = await scene.idTokenOf('user_alice', { jti: 'latest' });
    await signOut(latest);
    const code = async (token: string) => (await call(token)).body.code;
    expect([await code(latest), await code(other), await code(atGlobex)]).toEqual([
      'signed_out',
      'signed_out',
      undefined,
    ]);
    const opened = await request(scene.app).post('/api/v1/sessions').set('Authorization', `Bearer ${latest}`);
    expect([opened.status, opened.body.code]).toEqual([401, 'signed_out']);
    // A sign-out with an older ID token changes nothing.
    expect([(await signOut(latest)).status, (await signOut(alice)).status]).toEqual([204, 204]);
    expect(await code(latest)).toBe('signed_out');
    expect((await call(await scene.idTokenOf('user_alice', { jti: 'later' }))).status).toBe(200);
  });

  it('refuses the signed-out token in every spelling', async () => {
    const token = await scene.idTokenOf('user_alice', { jti: undefined });
    expect((await signOut(token)).status).toBe(204);
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const codes = new Set<unknown>();
    for (const end of last) codes.add((await call(token.slice(0, -1) + end)).body.code);
    expect([...codes].sort()).toEqual(['signed_out', 'token_invalid']);
  });

  it('does not refuse ID tokens while the records of sign-outs cannot be read', async () => {
    await signOut(alice);
    const away = async () => Promise.reject(new Error('connection refused'));
    const hub = createSecureStore({
      backend: { ...createMemoryBackend({ clock: scene.clock }), getMany: away },
      keys: generateEncryptionKeys(),
    });
    expect(await callWhoami(scene.replica({ store: hub }), alice)).toBe(200);
  });

  it('prevents a token that is still being obtained from being stored or used', async () => {
    const late = createLateToken();
    scene.toolServer.misbehaviour = { token: late.endpoint };
    const running = call(alice).then((res) => res.status);
    await late.asked;
    await signOut(alice);
    late.release();
    expect([await running, scene.toolServer.calls]).toEqual([403, []]);
    expect([...scene.entries.keys()]).toEqual([
      expect.stringMatching(/^session-end:/),
      'epoch:org_acme::user_alice',
      expect.stringMatching(/^id-jag:org_acme:/),
    ]);
  });

  it('returns an error while the store is down', async () => {
    await scene.stop();
    scene = await createScene({
      backend: (memory) => ({ ...memory, delete: () => Promise.reject(new Error('connection refused')) }),
    });
    const res = await signOut(await scene.idTokenOf('user_alice'));
    expect([res.status, res.body.code]).toEqual([503, 'token_store_unavailable']);
  });
});

it.each([
  ['a session', '/api/v1/sessions', 201, undefined],
  ['a connection', '/api/v1/connectors/con_tools/connections', 400, 'validation_failed'],
  ['an examination', '/api/v1/connectors/con_tools/doctor', 400, 'validation_failed'],
  ['a tool call', '/api/v1/connectors/con_tools/tools/whoami/call', 400, 'validation_failed'],
])(
  'accepts null as an empty body when a session is opened, and nowhere else: %s',
  async (_case, path, status, code) => {
    const answer = await request(scene.app)
      .post(path)
      .set({ Authorization: `Bearer ${alice}`, 'Content-Type': 'application/json' })
      .send('null');
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  },
);

it('counts lookups and delegations', async () => {
  await call(alice);
  await call(alice);
  const metrics = await scene.metrics();
  expect(metrics).toContain('token_cache_lookups_total{outcome="miss",service="tool-hub"} 1');
  expect(metrics).toContain('token_cache_lookups_total{outcome="hit",service="tool-hub"} 1');
  expect(metrics).toContain('token_cache_lookups_total{outcome="error",service="tool-hub"} 0');
  expect(metrics).toContain('delegations_total{method="id-jag",outcome="granted",service="tool-hub"} 1');
});

it.each([['/healthz'], ['/readyz']])('responds to %s without credentials', async (path) => {
  expect((await request(scene.app).get(path)).status).toBe(200);
});
