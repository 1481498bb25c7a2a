import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, ConnectorId } from '@legate/ids';
import { createKeySet } from '@legate/jwt';
import { createWorkloadVerifier } from '@legate/workload';
import type { Express } from 'express';
import { decodeJwt, type JSONWebKeySet } from 'jose';
import request from 'supertest';
import type { Connector } from '../../domain/connector.ts';
import type { Agent } from '../../domain/connector-set.ts';
import { organizationConnectors } from '../../domain/connector-set.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import { sendJson } from '../../testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from '../../testing/scene.ts';
import { type Script, type ScriptedRequest, scriptedMcp, tools } from '../../testing/scripted-mcp.ts';

const HUB = 'http://hub.test';
const TTL = { ttlMs: 30_000, cacheScope: 'private' };

let scene: Scene;
let alice: string;
let bob: string;
/** The user of the token, for each request for a list */
let asked: { user: string | undefined; token: string; cursor: unknown }[];
/** The organization's connectors; tests change them as an administrator would */
let connectors: Map<string, Connector>;
let agents: Agent[];

beforeEach(() => open());
afterEach(() => scene.stop());

async function open(options: Parameters<typeof createScene>[0] = {}) {
  asked = [];
  agents = [];
  const registry: ConnectorRegistry = {
    of: async () => organizationConnectors(connectors, new Map(), agents),
    forget: () => undefined,
    recheckOne: () => undefined,
  };
  scene = await createScene({ ...options, app: { registry, ...options.app } });
  connectors = new Map([[scene.connector.id, scene.connector]]);
  alice = await scene.idTokenOf('user_alice');
  bob = await scene.idTokenOf('user_bob');
  serve({ 'tools/list': () => ({ ...tools('whoami', 'notes'), ...TTL }) });
}

/** Records each request for a list before it is answered. */
function serve(script: Script): void {
  const noting = Object.entries(script).map(([method, answer]) => [
    method,
    (sent: ScriptedRequest) => {
      if (method.endsWith('/list')) {
        const token = sent.headers.authorization?.replace('Bearer ', '') ?? '';
        const user = token.includes('.') ? decodeJwt(token).sub : undefined;
        asked.push({ user, token, cursor: sent.params.cursor });
      }
      return answer(sent);
    },
  ]);
  scene.toolServer.misbehaviour = { mcp: scriptedMcp(Object.fromEntries(noting)) };
}

interface Options {
  readonly app?: Express;
  readonly path?: string;
  readonly agent?: string;
  readonly method?: string;
  readonly revision?: string;
}

async function post(token: string, params: object, options: Options) {
  const { app = scene.app, path = '/mcp', method = 'tools/list', revision = '2026-07-28' } = options;
  const isModern = revision === '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = 'name' in params ? { 'Mcp-Name': String(params.name) } : {};
  const { body } = await request(app)
    .post(path)
    .set({ Host: 'hub.test', Accept: 'application/json, text/event-stream', ...name })
    .set({ Authorization: `Bearer ${token}`, 'MCP-Protocol-Version': revision, 'Mcp-Method': method })
    .set(options.agent === undefined ? {} : { 'Legate-Agent-Id': options.agent })
    .send({ jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta } : params });
  return body;
}

/** Returns the names in the list, or the code of the error. */
async function list(token: string, options: Options = {}): Promise<readonly string[] | string> {
  const body = await post(token, {}, options);
  return body.result?.tools.map(({ name }: { name: string }) => name) ?? body.error?.data.code ?? body.code;
}
const ttlFor = async (token: string): Promise<number> => (await post(token, {}, {})).result.ttlMs;
const whoami = (token: string) =>
  post(token, { name: 'con-tools_whoami', arguments: {} }, { method: 'tools/call' });

const ALL = ['con-tools_whoami', 'con-tools_notes'];

describe('a list', () => {
  it('is fetched once while it is fresh, and an agent gets the remaining time', async () => {
    expect([await list(alice), await ttlFor(alice)]).toEqual([ALL, 30_000]);
    scene.clock.advanceSeconds(12);
    expect([await list(alice), await ttlFor(alice), asked.length]).toEqual([ALL, 18_000, 1]);
    scene.clock.advanceSeconds(17.999);
    expect([await ttlFor(alice), asked.length]).toEqual([1, 1]);
    scene.clock.advanceSeconds(0.001);
    expect([await ttlFor(alice), asked.length]).toEqual([30_000, 2]);
  });

  it('is fresh for at most a minute, including the time at the agent', async () => {
    serve({ 'tools/list': () => ({ ...tools('x'), ttlMs: 3_600_000, cacheScope: 'public' }) });
    expect(await ttlFor(alice)).toBe(60_000);
    scene.clock.advanceSeconds(59);
    expect([await ttlFor(alice), asked.length]).toEqual([1000, 1]);
    scene.clock.advanceSeconds(1);
    expect([await ttlFor(alice), asked.length]).toEqual([60_000, 2]);
  });

  it('is shared by /mcp, /mcp/{connector_id} and both revisions', async () => {
    serve({
      'tools/list': () => ({
        tools: [
          { ...tools('x').tools[0], outputSchema: { type: 'string' }, _meta: { 'legate/acts_as': 'god' } },
        ],
        ...TTL,
      }),
    });
    const first = await post(alice, {}, {});
    const tool = { inputSchema: { type: 'object' }, outputSchema: { type: 'string' }, _meta: {} };
    const origin = { 'legate/tool': { connector_id: 'con_tools', slug: 'con-tools', name: 'x' } };
    expect(first.result.tools).toEqual([{ ...tool, name: 'con-tools_x', _meta: origin }]);
    const { outputSchema: _none, ...older } = tool;
    const legacy = await post(alice, {}, { revision: '2025-11-25' });
    expect(legacy.result.tools).toEqual([{ ...older, name: 'con-tools_x', _meta: origin }]);
    const single = await post(alice, {}, { path: '/mcp/con_tools' });
    expect([single.result.tools, asked.length]).toEqual([[{ ...tool, name: 'x' }], 1]);
  });

  it.each([
    [
      'resources/list',
      'resources',
      { uri: 'notes://1', name: 'one' },
      { uri: 'legate://con-tools/notes://1' },
    ],
    [
      'resources/templates/list',
      'resourceTemplates',
      { uriTemplate: 'notes://{id}', name: 'any' },
      { uriTemplate: 'legate://con-tools/notes://{id}' },
    ],
    ['prompts/list', 'prompts', { name: 'ask' }, { name: 'con-tools_ask' }],
  ])('of %s is cached the same way, separately', async (method, member, item, called) => {
    serve({
      'tools/list': () => ({ ...tools('x'), ...TTL }),
      [method]: () => ({ [member]: [item], ...TTL }),
    });
    await list(alice);
    for (const count of [2, 2]) {
      const own = Object.values(item)[0];
      const _meta = { 'legate/tool': { connector_id: 'con_tools', slug: 'con-tools', name: own } };
      expect((await post(alice, {}, { method })).result[member]).toEqual([{ ...item, ...called, _meta }]);
      expect(asked.length).toBe(count);
    }
  });

  it('of several pages is cached when complete, until the first page expires', async () => {
    serve({
      'tools/list': ({ params }) =>
        params.cursor === undefined
          ? { ...tools('a'), ...TTL, nextCursor: '2' }
          : { ...tools('b'), ttlMs: 10_000 },
    });
    for (const left of [10_000, 3000]) {
      const { result } = await post(alice, {}, {});
      expect([result.tools.length, result.ttlMs]).toEqual([2, left]);
      scene.clock.advanceSeconds(7);
    }
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, '2']);
    await list(alice);
    expect(asked.length).toBe(4);
  });

  it('whose pages were read with two tokens is not cached', async () => {
    let isRefused = false;
    serve({
      'tools/list': ({ params, res }) => {
        if (params.cursor === undefined) return { ...tools('a'), ...TTL, nextCursor: '2' };
        if (isRefused) return { ...tools('b'), ...TTL };
        isRefused = true;
        return void sendJson(res, 401, {});
      },
    });
    expect(await list(alice)).toEqual(['con-tools_a', 'con-tools_b']);
    expect(new Set(asked.map(({ token }) => token)).size).toBe(2);
    await list(alice);
    expect(asked.length).toBe(5);
    await list(alice);
    expect(asked.length).toBe(5); // the second read used one token for all pages
  });

  it.each<[string, () => object, left?: number]>([
    ['does not say for how long it holds', () => tools('x')],
    ['holds for no time', () => ({ ...tools('x'), ttlMs: 0, cacheScope: 'public' })],
    ['holds for less than that', () => ({ ...tools('x'), ttlMs: -1 })],
    ['says so in words', () => ({ ...tools('x'), ttlMs: '60000' })],
    ['has one page that does not', () => ({ ...tools('x'), ...TTL, ttlMs: 0 })],
    ['never ends', () => ({ ...tools('x'), ...TTL, nextCursor: 'more' }), 30_000],
    [
      'has too many items',
      () => ({ ...tools(...Array.from({ length: 1001 }, (_, i) => `t${i}`)), ...TTL }),
      30_000,
    ],
    ['is malformed', () => ({ tools: 'all of them', ...TTL })],
    ['is an error', () => ({ error: { code: -32603, message: 'x', data: TTL } })],
  ])('that %s is not cached', async (_case, answer, left = 0) => {
    serve({ 'tools/list': answer });
    await list(alice);
    const once = asked.length;
    const { result } = await post(alice, {}, {});
    expect([asked.length, result.ttlMs]).toEqual([2 * once, left]);
  });

  it('is counted as a hit or a miss in the metrics', async () => {
    for (const token of [alice, alice, bob]) await list(token);
    const metrics = await scene.metrics();
    expect(metrics).toContain('list_cache_lookups_total{outcome="hit",service="tool-hub"} 1');
    expect(metrics).toContain('list_cache_lookups_total{outcome="miss",service="tool-hub"} 2');
  });

  it('for an application is always fetched, since a response of the API cannot contain its freshness', async () => {
    await list(alice);
    for (const count of [2, 3]) {
      const res = await request(scene.app)
        .get('/api/v1/connectors/con_tools/tools')
        .set('Authorization', `Bearer ${alice}`);
      expect([res.body.tools.length, asked.length]).toEqual([2, count]);
    }
  });
});

describe('is never shared with another user', () => {
  it('even if a server declares it public', async () => {
    serve({
      'tools/list': ({ headers }) => ({
        ...tools(`of_${decodeJwt(headers.authorization?.replace('Bearer ', '') ?? '').sub}`),
        ttlMs: 60_000,
        cacheScope: 'public',
      }),
    });
    for (const [token, user] of [
      [alice, 'user_alice'],
      [bob, 'user_bob'],
      [alice, 'user_alice'],
      [bob, 'user_bob'],
    ] as const)
      expect(await list(token)).toEqual([`con-tools_of_${user}`]);
    expect(asked.map(({ user }) => user)).toEqual(['user_alice', 'user_bob']);
  });

  it('even if the connector uses its own key', async () => {
    const key = { kind: 'api_key', header: 'x-api-key', value: 'sk-0123456789' } as const;
    connectors.set('con_tools', { ...scene.connector, methods: [{ method: 'service', key }] });
    for (const token of [alice, bob, alice, bob]) expect(await list(token)).toEqual(ALL);
    expect(asked.length).toBe(2);
  });

  it('nor with the same user in another organization', async () => {
    await list(alice);
    await list(await scene.idTokenOf('user_alice', { organization_id: 'org_globex' }));
    expect(asked.length).toBe(2);
  });
});

describe('a cached list is dropped', () => {
  const signOut = (token: string, app = scene.app) =>
    request(app).delete('/api/v1/tokens').set('Authorization', `Bearer ${token}`);

  it('when its user signs out, but not when another user does', async () => {
    await Promise.all([list(alice), list(bob)]);
    expect((await signOut(alice)).status).toBe(204);
    await Promise.all([list(await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' })), list(bob)]);
    expect(asked.map(({ user }) => user).sort()).toEqual(['user_alice', 'user_alice', 'user_bob']);
  });

  it('when the user signs out at another process', async () => {
    const other = scene.replica({});
    await list(alice);
    await signOut(alice, other);
    await list(await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' }));
    expect(asked.length).toBe(2);
  });

  it('when the user signs out at another process whose message is lost', async () => {
    scene.ends.announce = async () => undefined;
    const other = scene.replica({});
    await list(alice);
    await signOut(alice, other);
    await list(await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' }));
    expect(asked.length).toBe(2);
  });

  it('together with the token that it was read with', async () => {
    await list(alice);
    serve({
      'tools/list': () => ({ ...tools('other'), ...TTL }),
      'tools/call': ({ headers, res }) =>
        headers.authorization?.endsWith(asked[0]?.token ?? '-')
          ? void sendJson(res, 401, {})
          : { content: [{ type: 'text', text: 'with another token' }] },
    });
    expect((await whoami(alice)).result.content[0].text).toBe('with another token');
    expect([await list(alice), asked.length]).toEqual([['con-tools_other'], 2]);
  });

  it('when its token must no longer be used, and the user is then denied', async () => {
    await list(alice);
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
    // Until then, a call would use the same token too.
    expect(await list(alice, { path: '/mcp/con_tools' })).toEqual(['whoami', 'notes']);
    await signOut(alice);
    alice = await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' });
    expect([await list(alice, { path: '/mcp/con_tools' }), asked.length]).toEqual(['delegation_denied', 1]);
  });

  describe('when a revocation arrives', () => {
    let hub: Express;
    beforeEach(() => {
      const { issuer } = scene.idp;
      const load = async () => (await fetch(`${issuer}/jwks`)).json() as Promise<JSONWebKeySet>;
      hub = scene.replica({
        verifyWorkload: createWorkloadVerifier({
          issuer: { issuer, keys: createKeySet({ issuer, load, clock: scene.clock }) },
          audience: HUB,
          workloads: new Map([['management-api', new Set(['internal:revocations'])]]),
          clock: scene.clock,
        }),
      });
    });

    async function revoke(body: object): Promise<void> {
      const token = await scene.idp.mintIdToken(
        { sub: 'management-api', client_id: 'management-api', aud: HUB, scope: 'internal:revocations' },
        { typ: 'at+jwt' },
      );
      const res = await request(hub)
        .post('/internal/v1/revocations')
        .set('Authorization', `Bearer ${token}`)
        .send({ organization_id: 'org_acme', reason: 'test', ...body });
      expect(res.status).toBe(200);
    }

    const key = { kind: 'api_key', header: 'x-api-key', value: 'sk-0123456789' } as const;
    it.each<[string, object, number]>([
      ['of the user', { user_id: 'user_alice' }, 1],
      ['of another user', { user_id: 'user_bob' }, 0],
      ['of the organization', {}, 1],
      ['of another organization', { organization_id: 'org_globex' }, 0],
      ['of the connector', { connector_id: 'con_tools' }, 1],
      ['of another connector', { connector_id: 'con_other' }, 0],
      ['of an agent', { agent_id: 'agt_1' }, 0],
    ])('%s, in all processes, whatever its method', async (_case, body, more) => {
      for (const methods of [scene.connector.methods, [{ method: 'service', key }] as const]) {
        connectors.set('con_tools', { ...scene.connector, methods });
        for (const app of [hub, scene.app]) await list(alice, { app });
        const { length } = asked;
        await revoke(body);
        for (const app of [hub, scene.app]) expect(await list(alice, { app })).toEqual(ALL);
        expect(asked.length).toBe(length + 2 * more);
      }
    });
  });

  it('when the tool server announces a change, without affecting other lists', async () => {
    serve({
      'tools/list': () => ({ ...tools('whoami'), ...TTL }),
      'prompts/list': () => ({ prompts: [{ name: 'ask' }], ...TTL }),
      'tools/call': ({ event }) => {
        event({ method: 'notifications/tools/list_changed' });
        return { content: [] };
      },
    });
    const listBoth = async () => {
      await list(alice);
      await post(alice, {}, { method: 'prompts/list' });
    };
    await listBoth();
    expect(asked.length).toBe(2);
    await whoami(bob); // either process may have been notified
    await listBoth();
    expect(asked.length).toBe(3);
  });

  const NEW_SECRET = {
    ...ID_JAG,
    clientAuth: { method: 'client_secret_post', clientSecret: 'new' },
  } as const;
  it.each<[string, (own: Connector) => Connector]>([
    ['its scopes', (own) => ({ ...own, scopes: ['mcp:tools:read'] })],
    ['its endpoint', (own) => ({ ...own, mcpUrl: own.mcpUrl.replace('127.0.0.1', 'localhost') })],
    ['its secret', (own) => ({ ...own, methods: [NEW_SECRET] })],
  ])('when an administrator changes the connector: %s', async (_case, change) => {
    await list(alice);
    connectors.set('con_tools', change(scene.connector));
    expect([await list(alice), asked.length]).toEqual([ALL, 2]);
  });
});

describe("an agent's binding", () => {
  const bind = (scopes: string[] | undefined, bound: string[] | undefined, isActive = true) => {
    const bindings = [{ connectorId: ConnectorId.parse('con_tools'), scopes, tools: bound }];
    agents = [{ id: AgentId.parse('agt_1'), isActive, bindings }];
  };
  const asAgent = () => list(alice, { agent: 'agt_1' });

  it('limits which tools of a cached list the agent sees, as soon as the binding changes', async () => {
    bind(undefined, ['whoami']);
    expect([await list(alice), await asAgent()]).toEqual([ALL, ['con-tools_whoami']]);
    bind(undefined, ['notes', 'other']);
    expect(await asAgent()).toEqual(['con-tools_notes']);
    bind(undefined, []);
    expect(await asAgent()).toEqual([]);
    bind(undefined, undefined);
    expect([await asAgent(), asked.length]).toEqual([ALL, 1]);
    bind(undefined, undefined, false);
    expect(await asAgent()).toBe('agent_inactive');
    agents = [{ id: AgentId.parse('agt_1'), isActive: true, bindings: [] }];
    expect([await asAgent(), asked.length]).toEqual([[], 1]);
    connectors.delete('con_tools');
    expect([await list(alice), asked.length]).toEqual([[], 1]);
  });

  it('hides resources and prompts from an agent with single tools', async () => {
    serve({ 'prompts/list': () => ({ prompts: [{ name: 'ask' }], ...TTL }) });
    const prompts = async (agent?: string) =>
      (await post(alice, {}, { method: 'prompts/list', ...(agent !== undefined && { agent }) })).result
        .prompts;
    expect((await prompts()).length).toBe(1);
    bind(undefined, ['whoami']);
    expect(await prompts('agt_1')).toEqual([]);
  });

  it('with fewer scopes uses its own token, and never the user’s list', async () => {
    bind(['mcp:tools:read'], undefined);
    await list(alice);
    await asAgent();
    await asAgent();
    await list(alice);
    expect(asked.length).toBe(2);
    expect(asked[0]?.token).not.toBe(asked[1]?.token);
  });

  it('keeps unusable items that are not bound out of the report to the agent', async () => {
    serve({ 'tools/list': () => ({ tools: [...tools('whoami').tools, { name: 'bad' }], ...TTL }) });
    const leftOut = async (options: Options) =>
      (await post(alice, {}, options)).result._meta['legate/left_out'];
    bind(undefined, ['whoami']);
    for (const _round of [1, 2]) {
      expect(await leftOut({})).toEqual([{ connector_id: 'con_tools', code: 'items_unusable', count: 1 }]);
      expect(await leftOut({ agent: 'agt_1' })).toEqual([]);
    }
    expect(asked.length).toBe(1);
  });
});

it('does not cache the list of a tool server that gets the ID token itself', async () => {
  const acceptedAudiences = ['frontend-app'];
  connectors.set('con_tools', {
    ...scene.connector,
    methods: [{ method: 'passthrough', acceptedAudiences }],
  });
  await list(alice);
  await list(alice);
  expect(asked.length).toBe(2);
});

it('fetches a list again while the token cannot be cached, because nothing could end the list', async () => {
  await scene.stop();
  await open({
    backend: (memory) => ({ ...memory, getMany: () => Promise.reject(new Error('down')) }),
  });
  expect([await list(alice), await list(alice), asked.length]).toEqual([ALL, ALL, 2]);
});
