import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectRedis } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { eventually } from '@legate/testing';
import type { Express } from 'express';
import type { Redis } from 'ioredis';
import request from 'supertest';
import { createConnectorRegistry } from '../domain/registry.ts';
import { type Announcements, listenForAnnouncements } from '../platform/announcements.ts';
import { type AgentsScene, createAgentsScene, type RpcBody } from '../testing/agents-scene.ts';
import { createBarrier } from '../testing/barrier.ts';
import { scriptedMcp } from '../testing/scripted-mcp.ts';

/** Two hubs. The agent's call runs at the first, and the end arrives at the second. */
const url = process.env.TEST_REDIS_URL;
const CHANNELS = ['this process', ...(url ? ['Redis'] : [])];

let scene: AgentsScene;
let otherHub: Express;
let redis: Redis | undefined;
let announcements: Announcements | undefined;
/** One promise for each running call, which resolves when the call is cancelled at the tool server */
let cut: Promise<void>[];

async function begin(channel: string): Promise<void> {
  cut = [];
  scene = await createAgentsScene({
    connectorIds: ['con_tools', 'con_other'],
    app: {
      verifyWorkload: async () => ({
        clientId: 'management-api',
        scopes: new Set(['internal:revocations']),
      }),
    },
  });
  otherHub = scene.replica({});
  const hold = (res: ServerResponse) => {
    cut.push(new Promise((resolve) => res.once('close', resolve)));
    return undefined;
  };
  const mcp = scriptedMcp({
    'tools/list': ({ res }) => hold(res),
    'resources/read': ({ res }) => hold(res),
    'prompts/get': ({ res }) => hold(res),
    'tools/call': ({ params, event, res }) => {
      hold(res);
      if (params._meta?.progressToken === undefined) return undefined;
      event({
        method: 'notifications/progress',
        params: { progressToken: params._meta?.progressToken, progress: 1 },
      });
      return undefined;
    },
  });
  for (const server of scene.servers.values()) server.misbehaviour = { mcp };
  if (channel !== 'Redis' || !url) return;
  redis = await connectRedis(url, { commandTimeoutMs: 5000, onError: () => undefined });
  announcements = await listenForAnnouncements(redis, {
    channel: `test-${randomUUID()}:sessions-ended`,
    onAnnounced: scene.ends.hear,
    onMissed: () => undefined,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  scene.ends.announce = announcements.announce;
}

afterEach(async () => {
  announcements?.close();
  redis?.disconnect();
  announcements = redis = undefined;
  await scene.stop();
});

async function openSession(claims: Record<string, unknown> = {}): Promise<string> {
  const { idToken, refreshToken } = await scene.idp.signIn({ sub: 'user_alice', sid: 's1', ...claims });
  const opened = await request(scene.app)
    .post('/api/v1/sessions')
    .set('Authorization', `Bearer ${idToken}`)
    .send({ refresh_token: refreshToken })
    .expect(201);
  return opened.body.session;
}

/** Starts a call that the tool server never answers, and waits for its first progress. */
async function startCall(token: string, slug = 'con-tools') {
  const params = { name: `${slug}_x`, _meta: { progressToken: 1 } };
  const answer = await scene.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { token, headers: { 'MCP-Protocol-Version': '2025-11-25' } },
  );
  const reader = answer.body?.getReader();
  if (!reader) throw new Error('no stream');
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('notifications/progress');
  let isOver = false;
  /** Returns the last event. */
  const over = (async () => {
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += new TextDecoder().decode(part.value);
    isOver = true;
    return JSON.parse(rest.slice(rest.lastIndexOf('data: ') + 'data: '.length)) as RpcBody;
  })();
  over.catch(() => undefined); // rejects when the connection is closed at the end of the test
  return { over, isOver: () => isOver };
}

/** Calls that the tool server never answers, without progress. */
async function callWithoutProgress(token: string, path: string, body?: object) {
  const answer = await fetch(`${scene.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      Authorization: `Bearer ${token}`,
      ...{ 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2025-11-25' },
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    type: answer.headers.get('Content-Type')?.split(';')[0],
    asks: answer.headers.has('WWW-Authenticate'),
    body: (await answer.json()) as RpcBody & { code?: string },
  };
}

/** Waits for requests at the tool server. @param count number of requests that it has received and not answered */
async function hasArrived(count: number): Promise<void> {
  await eventually(`${count} requests at the tool server`, () => cut.length, { until: (n) => n >= count });
}

const sendFrom = (token: string) => (path: string) =>
  request(otherHub).delete(path).set('Authorization', `Bearer ${token}`).expect(204);

async function logOut(claims: Record<string, unknown>): Promise<void> {
  const token = await scene.idp.mintIdToken(
    {
      jti: randomUUID(),
      exp: scene.clock().getTime() / 1000 + 60,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    },
    { typ: 'logout+jwt' },
  );
  await request(otherHub)
    .post('/oauth/backchannel-logout')
    .type('form')
    .send({ logout_token: token })
    .expect(200);
}

const revokeConnector = (reason = 'connector.updated') =>
  request(otherHub)
    .post('/internal/v1/revocations')
    .send({ organization_id: 'org_acme', connector_id: 'con_tools', reason })
    .expect(200);

describe.each(CHANNELS)('a running call, with ends announced over %s,', (channel) => {
  beforeEach(() => begin(channel));

  it.each<[string, (session: string) => Promise<unknown>]>([
    ['the session is ended', async (session) => sendFrom(session)('/api/v1/sessions/current')],
    ['the user signs out', async (session) => sendFrom(session)('/api/v1/tokens')],
    ['the identity provider ends the sign-in', () => logOut({ sid: 's1' })],
    ['the identity provider ends all of the user', () => logOut({ sub: 'user_alice' })],
  ])('ends when %s at another hub, and at the tool server too', async (_what, end) => {
    const session = await openSession();
    const bobs = await startCall(await openSession({ sub: 'user_bob', sid: 's2' }));
    const alices = await startCall(session);
    await end(session);
    const { id, error } = await alices.over;
    expect([id, error.code, error.data.code]).toEqual([1, 401, 'session_ended']);
    await cut[1];
    expect(bobs.isOver()).toBe(false);
  });

  it('ends when its connector is revoked, while its session and calls at other connectors continue', async () => {
    const session = await openSession();
    const elsewhere = await startCall(session, 'con-other');
    const here = await startCall(session);
    const atApplicationsEndpoint = callWithoutProgress(
      session,
      '/api/v1/connectors/con_tools/tools/x/call',
      {},
    );
    await hasArrived(3);
    await revokeConnector();
    const { error } = await here.over;
    expect([error.code, error.data.code]).toEqual([403, 'access_revoked']);
    expect(await atApplicationsEndpoint).toMatchObject({ status: 403, body: { code: 'access_revoked' } });
    expect(elsewhere.isOver()).toBe(false);
    const again = await startCall(session, 'con-other');
    expect(again.isOver()).toBe(false);
  });

  it.each<[string, string, string, object]>([
    ['reads a resource', '/mcp', 'resources/read', { uri: 'legate://con-tools/note:1' }],
    ['gets a prompt', '/mcp', 'prompts/get', { name: 'con-tools_p' }],
    ['lists what one connector has', '/mcp/con_tools', 'tools/list', {}],
  ])('ends when its connector is revoked, even if it %s', async (_case, path, method, params) => {
    const token = await scene.idTokenOf('user_alice');
    const waiting = callWithoutProgress(token, path, { jsonrpc: '2.0', id: 1, method, params });
    await hasArrived(1);
    await revokeConnector();
    const { status, body } = await waiting;
    expect([status, body.error.data.code]).toEqual([403, 'access_revoked']);
    await cut[0];
  });

  it("ends when its connector is revoked, as does an application's list", async () => {
    const token = await scene.idTokenOf('user_alice');
    const waiting = callWithoutProgress(token, '/api/v1/connectors/con_tools/tools');
    await hasArrived(1);
    await revokeConnector();
    expect(await waiting).toMatchObject({ status: 403, body: { code: 'access_revoked' } });
  });

  it('may continue for 30 seconds after its connector got a new secret, and not longer', async () => {
    const running = await startCall(await openSession());
    await revokeConnector('connector.secret_set');
    scene.clock.advanceSeconds(29);
    const later = await startCall(await openSession({ sid: 's2' }));
    await scene.ends.recheck();
    expect(running.isOver()).toBe(false);
    scene.clock.advanceSeconds(2);
    await scene.ends.recheck();
    const { error } = await running.over;
    expect([error.code, error.data.code]).toEqual([403, 'access_revoked']);
    expect(later.isOver()).toBe(false);
  });

  it('ends for a caller with an ID token at sign-out', async () => {
    const idToken = await scene.idTokenOf('user_alice');
    const running = await startCall(idToken);
    await sendFrom(idToken)('/api/v1/tokens');
    const { error } = await running.over;
    expect([error.code, error.data.code]).toEqual([403, 'access_revoked']);
  });

  it.each<[string, () => Promise<string>, number, string]>([
    ['a session', () => openSession(), 401, 'session_ended'],
    ['an ID token', () => scene.idTokenOf('user_alice'), 403, 'access_revoked'],
  ])('ends with a status if the response has not started, by %s', async (_case, tokenOf, status, code) => {
    const token = await tokenOf();
    const atAgentsEndpoint = callWithoutProgress(token, '/mcp', {
      ...{ jsonrpc: '2.0', id: 'r1', method: 'tools/call' },
      params: { name: 'con-tools_x' },
    });
    const atApplicationsEndpoint = callWithoutProgress(
      token,
      '/api/v1/connectors/con_tools/tools/x/call',
      {},
    );
    const list = callWithoutProgress(token, '/api/v1/connectors/con_tools/tools');
    await hasArrived(3);
    await sendFrom(token)('/api/v1/tokens');
    const [agents, applications, lists] = await Promise.all([atAgentsEndpoint, atApplicationsEndpoint, list]);
    expect([agents.status, agents.type, agents.body.id]).toEqual([status, 'application/json', 'r1']);
    expect(agents.body.error).toMatchObject({ code: status, data: { code } });
    for (const answer of [applications, lists])
      expect(answer).toMatchObject({ status, type: 'application/problem+json', body: { code, status } });
    expect([agents, applications, lists].map(({ asks }) => asks)).toEqual(Array(3).fill(status === 401));
    await Promise.all(cut);
    const calls = (await scene.audited()).filter(({ action }) => action.startsWith('tool.'));
    expect(calls.map(({ action, details }) => [action, details.leg, details.rule])).toEqual(
      Array(2).fill(['tool.denied', 'caller', code]),
    );
  });
});

describe('a running call whose end is not announced', () => {
  beforeEach(async () => {
    await begin('this process');
    scene.ends.announce = async () => undefined;
  });

  it.each([
    ['a session', () => openSession()],
    ['an ID token', () => scene.idTokenOf('user_alice')],
  ])('ends at the next check, by %s', async (_case, tokenOf) => {
    const token = await tokenOf();
    const alices = await startCall(token);
    const bobs = await startCall(await scene.idTokenOf('user_bob'));
    await scene.ends.recheck();
    expect(alices.isOver()).toBe(false);
    await logOut({ sub: 'user_alice' });
    expect(alices.isOver()).toBe(false);
    await scene.ends.recheck();
    await alices.over;
    expect(bobs.isOver()).toBe(false);
  });

  it('ends at the next check if its connector was revoked', async () => {
    const running = await startCall(await openSession());
    const elsewhere = await startCall(await scene.idTokenOf('user_bob'), 'con-other');
    await revokeConnector();
    expect(running.isOver()).toBe(false);
    await scene.ends.recheck();
    expect((await running.over).error.data.code).toBe('access_revoked');
    expect(elsewhere.isOver()).toBe(false);
  });
});

it('a call ends if its connector was revoked after the call began, even if the call found the connector later', async () => {
  await begin('this process');
  const registry = createConnectorRegistry([scene.connector]);
  const [asked, answered] = [createBarrier(), createBarrier()];
  const hub = scene.replica({
    registry: {
      ...registry,
      async of(organizationId) {
        asked.release();
        await answered.passed;
        return registry.of(organizationId);
      },
    },
  });
  const call = request(hub)
    .post('/mcp')
    .set({
      Authorization: `Bearer ${await scene.idTokenOf('user_alice')}`,
      'MCP-Protocol-Version': '2025-11-25',
    })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'con-tools_x' } })
    .then((answer) => answer);
  await asked.passed;
  await revokeConnector();
  scene.clock.advanceSeconds(1);
  answered.release();
  await hasArrived(1);
  await scene.ends.recheck();
  expect((await call).body.error.data.code).toBe('access_revoked');
});

describe('a late announcement', () => {
  let announced: string[];
  beforeEach(async () => {
    await begin('this process');
    announced = [];
    scene.ends.announce = async (name) => void announced.push(name);
  });
  const hearLate = () => Promise.all(announced.map((name) => scene.ends.hear(name)));

  it.each([
    ['an ID token', (_sid: string) => scene.idTokenOf('user_alice')],
    ['a session', (sid: string) => openSession({ sid })],
  ])('does not affect calls that the user started after the sign-out, by %s', async (_case, tokenOf) => {
    const token = await tokenOf('s1');
    const before = await startCall(token);
    await sendFrom(token)('/api/v1/tokens');
    scene.clock.advanceSeconds(1);
    const after = await startCall(await tokenOf('s2'));
    await hearLate();
    await before.over;
    await cut[0];
    expect([announced.length > 0, after.isOver()]).toEqual([true, false]);
    expect(cut).toHaveLength(2);
  });

  it('ends running calls if the time of the end is unknown', async () => {
    const token = await scene.idTokenOf('user_alice');
    const running = await startCall(token);
    await sendFrom(token)('/api/v1/tokens');
    scene.backend.getMany = () => Promise.reject(new Error('away'));
    await hearLate();
    expect((await running.over).error.data.code).toBe('access_revoked');
  });
});
