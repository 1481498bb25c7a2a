import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Backend, connectRedis, createRedisBackend } from '@legate/secure-store';
import type { Express } from 'express';
import type { Redis } from 'ioredis';
import request from 'supertest';
import { callWhoami } from '../testing/call-whoami.ts';
import { sendJson } from '../testing/http-server.ts';
import { createScene, type Scene } from '../testing/scene.ts';

const url = process.env.TEST_REDIS_URL;
const STORES = ['memory', ...(url ? ['Redis'] : [])];

let scene: Scene;
let otherHub: Express;
let redis: Redis | undefined;
/** True while all commands of the store fail */
let storeIsDown: boolean;
/** Called for each added entry */
let onAdded: ((key: string) => Promise<void>) | undefined;

async function begin(store: string): Promise<void> {
  onAdded = undefined;
  storeIsDown = false;
  redis =
    store === 'Redis' && url
      ? await connectRedis(url, {
          keyPrefix: `test-${randomUUID()}:`,
          commandTimeoutMs: 5000,
          onError: () => undefined,
        })
      : undefined;
  const connection = redis;
  scene = await createScene({
    backend: (memory) => failing(connection ? createRedisBackend(connection) : memory),
    app: {
      verifyWorkload: async () => ({
        clientId: 'management-api',
        scopes: new Set(['internal:revocations']),
      }),
    },
  });
  otherHub = scene.replica({});
}

afterEach(async () => {
  if (redis) await removeAll(redis);
  redis?.disconnect();
  await scene.stop();
});

async function removeAll(connection: Redis): Promise<void> {
  const keyPrefix = connection.options.keyPrefix ?? '';
  let cursor = '0';
  do {
    const [next, found] = await connection.scan(cursor, 'MATCH', `${keyPrefix}*`, 'COUNT', 100);
    await Promise.all(found.map((key) => connection.del(key.slice(keyPrefix.length))));
    cursor = next;
  } while (cursor !== '0');
}

function failing(backend: Backend): Backend {
  const unlessDown =
    <Arguments extends unknown[], Result>(command: (...args: Arguments) => Promise<Result>) =>
    (...args: Arguments): Promise<Result> =>
      storeIsDown ? Promise.reject(new Error('connection refused')) : command(...args);
  return {
    get: unlessDown(backend.get),
    getMany: unlessDown(backend.getMany),
    set: unlessDown(backend.set),
    add: unlessDown(async (key, value, ttlSeconds) => {
      const isAdded = await backend.add(key, value, ttlSeconds);
      await onAdded?.(key);
      return isAdded;
    }),
    replace: unlessDown(backend.replace),
    delete: unlessDown(backend.delete),
    ping: unlessDown(backend.ping),
  };
}

const post = (token: string, body: object = {}, app = scene.app) =>
  request(app).post('/api/v1/sessions').set('Authorization', `Bearer ${token}`).send(body);

async function openSession(claims: Record<string, unknown> = {}, idTokenSeconds = 300) {
  const { idToken, refreshToken } = await scene.idp.signIn(
    { sub: 'user_alice', ...claims },
    { idTokenSeconds },
  );
  const opened = await post(idToken, { refresh_token: refreshToken }).expect(201);
  return { handle: String(opened.body.session), idToken, refreshToken };
}

const call = (token: string, app = scene.app) => callWhoami(app, token);

const ENDED = '401 session_ended';

describe.each(STORES)('a session, stored in %s', (store) => {
  beforeEach(() => begin(store));

  it('is opened with an ID token, and replaces it at /api/v1 and /mcp', async () => {
    const { handle, idToken } = await openSession();
    expect(handle).toMatch(/^lhs_[A-Za-z0-9_-]{43}$/);
    expect(await call(handle)).toBe(200);
    expect(await call(handle, otherHub)).toBe(200);
    const agent = await request(scene.app)
      .post('/mcp')
      .set({ Authorization: `Bearer ${handle}`, Host: 'hub.test', 'MCP-Protocol-Version': '2025-11-25' })
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'con-tools_whoami' } });
    expect([agent.status, agent.body.result.isError ?? false]).toEqual([200, false]);
    expect(scene.idp.exchanges.map((form) => form.get('subject_token'))).toEqual([idToken]);
    expect(scene.idp.refreshes).toEqual([]);
  });

  it("continues after its ID token has expired, with one that the hub renews as the application's client", async () => {
    const { handle, refreshToken } = await openSession();
    expect(await call(handle)).toBe(200);
    for (let hour = 0; hour < 3; hour += 1) {
      scene.clock.advanceSeconds(301);
      expect(await call(handle)).toBe(200);
    }
    expect(scene.idp.refreshes.map((form) => [form.get('client_id'), form.get('client_secret')])).toEqual(
      Array(3).fill(['frontend-app', null]),
    );
    expect(scene.idp.refreshes[0]?.get('refresh_token')).toBe(refreshToken);
    expect(scene.idp.reused).toEqual([]);
    // The tokens of tool servers are the user's, whichever ID token they were obtained with.
    expect(scene.idp.exchanges).toHaveLength(1);
  });

  it('is the first to end when its user opens more sessions than allowed', async () => {
    const first = await openSession();
    const bobs = await openSession({ sub: 'user_bob' });
    const second = await openSession();
    for (let count = 2; count < 20; count += 1) await openSession();
    expect(await call(first.handle)).toBe(200);
    await openSession();
    expect([await call(first.handle, otherHub), scene.idp.revoked]).toEqual([ENDED, [first.refreshToken]]);
    expect([await call(second.handle), await call(bobs.handle)]).toEqual([200, 200]);
    const metrics = await scene.metrics();
    expect(metrics).toMatch(/^sessions_opened_total\{renewable="true",service="tool-hub"\} 22$/m);
    expect(metrics).toMatch(/^sessions_ended_total\{reason="displaced",service="tool-hub"\} 1$/m);
  });

  it('ends if a sign-out arrives while it is being opened', async () => {
    const idToken = await scene.idTokenOf('user_alice');
    onAdded = async (key) => {
      if (!key.startsWith('session-slot:')) return;
      onAdded = undefined;
      await request(otherHub).delete('/api/v1/tokens').set('Authorization', `Bearer ${idToken}`).expect(204);
    };
    const { body } = await post(idToken).expect(201);
    expect(onAdded).toBeUndefined();
    expect(await call(body.session)).toBe(ENDED);
  });

  it('has its refresh token revoked once, however many calls notice its end', async () => {
    const { handle, idToken, refreshToken } = await openSession();
    await request(scene.app).delete('/api/v1/tokens').set('Authorization', `Bearer ${idToken}`).expect(204);
    const calls = Array.from({ length: 10 }, (_, index) => call(handle, index % 2 ? scene.app : otherHub));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([ENDED]));
    expect(scene.idp.revoked).toEqual([refreshToken]);
  });

  it('releases its slot when it ends', async () => {
    const opened: string[] = [];
    for (let count = 0; count < 20; count += 1) opened.push((await openSession()).handle);
    const [first = '', , last = ''] = opened;
    await request(scene.app)
      .delete('/api/v1/sessions/current')
      .set('Authorization', `Bearer ${last}`)
      .expect(204);
    await openSession();
    expect(await call(first)).toBe(200);
  });

  it('is renewed once for thirty concurrent calls at two hubs, even after its ID token has expired', async () => {
    const { handle } = await openSession();
    scene.clock.advanceSeconds(400);
    const calls = Array.from({ length: 30 }, (_, index) => call(handle, index % 2 ? scene.app : otherHub));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([1, []]);
    expect(new Set(scene.idp.exchanges.map((form) => form.get('subject_token'))).size).toBe(1);
  });

  it('uses its ID token while the identity provider is down, then returns 503, and recovers', async () => {
    const { handle } = await openSession();
    expect(await call(handle)).toBe(200);
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 503, {}) };
    scene.clock.advanceSeconds(280);
    expect(await call(handle)).toBe(200);
    expect(await call(handle)).toBe(200);
    expect(scene.idp.refreshes).toHaveLength(1); // not one refresh at every call
    scene.clock.advanceSeconds(30);
    expect(await call(handle)).toBe('503 idp_unavailable');
    scene.idp.misbehaviour = {};
    scene.clock.advanceSeconds(6);
    expect(await call(handle, otherHub)).toBe(200);
    expect(scene.idp.reused).toEqual([]);
  });

  it('ends when the identity provider no longer accepts its refresh token', async () => {
    const { handle } = await openSession();
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'invalid_grant' }) };
    scene.clock.advanceSeconds(280);
    expect(await call(handle)).toBe(ENDED);
    scene.idp.misbehaviour = {};
    expect(await call(handle, otherHub)).toBe(ENDED);
    expect(scene.idp.refreshes).toHaveLength(1);
  });

  it.each<[string, (res: Parameters<typeof sendJson>[0]) => void]>([
    ['a connection that breaks', (res) => void res.socket?.destroy()],
    ['502', (res) => sendJson(res, 502, {})],
    ['504', (res) => sendJson(res, 504, {})],
  ])(
    'never sends a refresh token again if the response was %s, and ends with its ID token',
    async (_case, answer) => {
      const { handle } = await openSession();
      scene.idp.misbehaviour = { refreshed: (_req, res) => answer(res) };
      scene.clock.advanceSeconds(280);
      expect(await call(handle)).toBe(200);
      scene.idp.misbehaviour = {};
      scene.clock.advanceSeconds(10);
      expect([await call(handle), await call(handle, otherHub)]).toEqual([200, 200]);
      scene.clock.advanceSeconds(20);
      expect([await call(handle, otherHub), await call(handle)]).toEqual([ENDED, ENDED]);
      expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([1, []]);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['another user', { sub: 'user_bob' }],
    ['another organization', { organization_id: 'org_globex' }],
    ['no organization', { organization_id: undefined }],
    ['another audience', { aud: 'tool-hub' }],
    ['one audience more', { aud: ['frontend-app', 'tool-hub'] }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another party', { azp: 'tool-hub' }],
    ['another nonce', { nonce: 'n2' }],
    ['another sign-in', { auth_time: 2 }],
    ['an earlier time', { iat: 1 }],
  ])('ends when the renewed ID token is for %s', async (_case, renewed) => {
    const { handle } = await openSession({ nonce: 'n1', auth_time: 1 });
    scene.idp.misbehaviour = { renewed };
    scene.clock.advanceSeconds(280);
    expect(await call(handle)).toBe(ENDED);
    scene.idp.misbehaviour = {};
    expect(await call(handle)).toBe(ENDED);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the nonce and time of the sign-in', {}],
    ['neither', { nonce: undefined, auth_time: undefined }],
  ])('continues with a renewed ID token that has %s', async (_case, renewed) => {
    const { handle } = await openSession({ nonce: 'n1', auth_time: 1 });
    scene.idp.misbehaviour = { renewed };
    scene.clock.advanceSeconds(280);
    expect(await call(handle)).toBe(200);
    scene.idp.misbehaviour = {};
    scene.clock.advanceSeconds(280);
    expect(await call(handle)).toBe(200);
    expect(scene.idp.refreshes).toHaveLength(2);
  });

  it('ends with its ID token if it has no refresh token', async () => {
    const { idToken } = await scene.idp.signIn({ sub: 'user_alice' });
    const opened = await post(idToken).expect(201);
    expect(opened.body.expires_at).toBe(new Date(scene.clock().getTime() + 300_000).toISOString());
    expect(await call(opened.body.session)).toBe(200);
    scene.clock.advanceSeconds(300);
    expect(await call(opened.body.session)).toBe(ENDED);
  });

  it.each([
    ['it is ended', '/api/v1/sessions/current'],
    ['its user signs out', '/api/v1/tokens'],
  ])('ends in all hubs when %s, with its refresh token', async (_case, path) => {
    const { handle } = await openSession();
    expect(await call(handle)).toBe(200);
    scene.clock.advanceSeconds(280);
    expect(await call(handle)).toBe(200);
    await request(scene.app).delete(path).set('Authorization', `Bearer ${handle}`).expect(204);
    expect([await call(handle), await call(handle, otherHub)]).toEqual([ENDED, ENDED]);
    expect(scene.idp.revoked).toEqual([scene.idp.issued.findLast((token) => token.startsWith('refresh-'))]);
  });

  it("is not affected by the end of another session, nor by another user's sign-out", async () => {
    const [one, two, bobs] = [
      await openSession(),
      await openSession(),
      await openSession({ sub: 'user_bob' }),
    ];
    await request(scene.app)
      .delete('/api/v1/sessions/current')
      .set('Authorization', `Bearer ${one.handle}`)
      .expect(204);
    await request(scene.app)
      .delete('/api/v1/tokens')
      .set('Authorization', `Bearer ${bobs.handle}`)
      .expect(204);
    expect([await call(one.handle), await call(two.handle), await call(bobs.handle)]).toEqual([
      ENDED,
      200,
      ENDED,
    ]);
  });

  it.each<[string, Record<string, unknown>, (number | string)[]]>([
    ['of its user', { user_id: 'user_alice' }, [ENDED, 200, 200]],
    ['of its organization', {}, [ENDED, ENDED, 200]],
    ['of a connector, which ends tokens only', { connector_id: 'con_tools' }, [200, 200, 200]],
    ['of an agent, which ends nothing', { agent_id: 'agent_1' }, [200, 200, 200]],
  ])('and a revocation at another hub %s', async (_case, revoked, expected) => {
    const handles = [
      (await openSession()).handle,
      (await openSession({ sub: 'user_bob' })).handle,
      (await openSession({ organization_id: 'org_globex' })).handle,
    ];
    expect(await Promise.all(handles.map((each) => call(each)))).toEqual([200, 200, 200]);
    await request(otherHub)
      .post('/internal/v1/revocations')
      .set('Authorization', 'Bearer of-a-workload')
      .send({ organization_id: 'org_acme', reason: 'test', ...revoked })
      .expect(200);
    expect(await Promise.all(handles.map((each) => call(each)))).toEqual(expected);
  });

  it('ends when the identity provider refuses its ID token at an exchange', async () => {
    const { handle } = await openSession();
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'invalid_grant' }) };
    expect(await call(handle)).toBe('401 sign_in_required');
    scene.idp.misbehaviour = {};
    expect(await call(handle)).toBe(ENDED);
  });

  it('survives a demand for a stronger sign-in, and a denial', async () => {
    const { handle } = await openSession();
    const refuse = (body: object) => {
      scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, body) };
    };
    refuse({ error: 'insufficient_user_authentication', max_age: 60 });
    expect(await call(handle)).toBe('401 sign_in_required');
    refuse({ error: 'access_denied' });
    expect(await call(handle)).toBe('403 delegation_denied');
    scene.idp.misbehaviour = {};
    expect(await call(handle)).toBe(200);
  });

  it('ends after its lifetime, however often it is renewed', async () => {
    const { handle } = await openSession({}, 86_400);
    for (let day = 0; day < 6; day += 1) {
      scene.clock.advanceSeconds(86_390);
      expect(await call(handle)).toBe(200);
    }
    scene.clock.advanceSeconds(86_400 + 60);
    expect(await call(handle)).toBe(ENDED);
  });

  it('has exclusive use of its refresh token: rotating it twice would look like theft', async () => {
    const { idToken, refreshToken } = await openSession();
    const again = await post(idToken, { refresh_token: refreshToken }, otherHub);
    expect([again.status, again.body.code]).toEqual([409, 'refresh_token_in_use']);
  });

  it('is refused while the store is down, and works afterwards', async () => {
    const { handle, idToken } = await openSession();
    storeIsDown = true;
    expect(await call(handle)).toBe('503 session_store_unavailable');
    expect((await post(idToken)).body.code).toBe('session_store_unavailable');
    expect(await call(idToken)).toBe(200);
    storeIsDown = false;
    expect(await call(handle)).toBe(200);
  });
});

describe('a session', () => {
  beforeEach(() => begin('memory'));

  it('leaves nothing in the store when it is displaced, whatever refresh token it had', async () => {
    const { idToken } = await openSession();
    for (let i = 0; i < 25; i += 1) await post(idToken, { refresh_token: `made-up-${i}` }).expect(201);
    const countOf = (pattern: RegExp) =>
      [...scene.entries.keys()].filter((name) => pattern.test(name)).length;
    expect([countOf(/^session-refresh-token:/), countOf(/:used$/)]).toEqual([20, 20]);
  });

  it('ends after a day without use, and not while it is used', async () => {
    const { handle } = await openSession({}, 86_400);
    for (let half = 0; half < 4; half += 1) {
      scene.clock.advanceSeconds(43_200);
      expect(await call(handle)).toBe(200);
    }
    scene.clock.advanceSeconds(86_401);
    expect(await call(handle)).toBe(ENDED);
  });

  it.each([
    ['an unknown member', { refresh_token: 'r', scope: 'all' }],
    ['a refresh token that is no text', { refresh_token: 1 }],
    ['an empty one', { refresh_token: '' }],
    ['a client that is not ours', { refresh_token: 'r', client_id: 'other-app' }],
  ])('is not opened for %s', async (_case, body) => {
    const { idToken } = await scene.idp.signIn({ sub: 'user_alice' });
    const answer = await post(idToken, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(answer.body)).not.toContain('"all"');
  });

  it('is opened with an ID token only, and requires an issued handle', async () => {
    const { handle } = await openSession();
    const answer = await post(handle);
    expect([answer.status, answer.body.code]).toEqual([403, 'id_token_required']);
    expect(await call(`lhs_${'A'.repeat(43)}`)).toBe(ENDED);
    expect(await call(`${handle}x`)).toBe('401 token_invalid');
    const bare = await request(scene.app)
      .delete('/api/v1/sessions/current')
      .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`);
    expect([bare.status, bare.body.code]).toEqual([404, 'session_not_found']);
  });

  it('that could not be opened takes no slot of other sessions', async () => {
    const { idToken } = await scene.idp.signIn({ sub: 'user_alice' });
    const { set } = scene.backend;
    scene.backend.set = () => Promise.reject(new Error('connection lost'));
    const answer = await post(idToken);
    scene.backend.set = set;
    expect([answer.status, answer.body.code]).toEqual([503, 'session_store_unavailable']);
    const places = () => [...scene.entries.keys()].filter((key) => key.startsWith('session-slot:'));
    expect(places()).toEqual([]);
    await post(idToken).expect(201);
    expect(places()).toHaveLength(1);
  });

  it.each(['session-slot:', 'session:'])(
    'that could not be opened, for lack of %s, can be opened with the same refresh token later',
    async (name) => {
      const { idToken, refreshToken } = await scene.idp.signIn({ sub: 'user_alice' });
      const { set, add } = scene.backend;
      const unlessMeant =
        <Result>(command: (key: string, value: Buffer, ttlSeconds: number) => Promise<Result>) =>
        (key: string, value: Buffer, ttlSeconds: number): Promise<Result> =>
          key.startsWith(name)
            ? Promise.reject(new Error('connection lost'))
            : command(key, value, ttlSeconds);
      Object.assign(scene.backend, { set: unlessMeant(set), add: unlessMeant(add) });
      expect((await post(idToken, { refresh_token: refreshToken })).body.code).toBe(
        'session_store_unavailable',
      );
      Object.assign(scene.backend, { set, add });
      await post(idToken, { refresh_token: refreshToken }).expect(201);
      expect((await post(idToken, { refresh_token: refreshToken })).body.code).toBe('refresh_token_in_use');
    },
  );

  it('is opened with an ID token whose expiry time has a fraction, and ends before it', async () => {
    const now = scene.clock().getTime() / 1000;
    const opened = await post(await scene.idTokenOf('user_alice', { exp: now + 100.5 })).expect(201);
    expect(opened.body.expires_at).toBe(new Date((now + 100) * 1000).toISOString());
    expect(await call(opened.body.session)).toBe(200);
  });

  it("redeems the hub's own refresh tokens as the hub", async () => {
    const claims = { sub: 'user_alice', aud: 'tool-hub' };
    const { idToken, refreshToken } = await scene.idp.signIn(claims, { clientId: 'tool-hub' });
    const opened = await post(idToken, { refresh_token: refreshToken }).expect(201);
    scene.clock.advanceSeconds(301);
    expect(await call(opened.body.session)).toBe(200);
    expect(scene.idp.refreshes[0]?.get('client_secret')).toBe('tool-hub-secret');
  });

  it('cannot be read or used by someone with access to the store', async () => {
    const { handle, idToken, refreshToken } = await openSession({ sid: 'sign-in-1' });
    expect(await call(handle)).toBe(200);
    const everything = [...scene.entries]
      .map(([key, { value }]) => `${key}\n${value.toString('latin1')}`)
      .join('\n');
    expect(everything).toContain('session:');
    for (const secret of [handle, handle.slice(4), idToken, refreshToken, 'sign-in-1'])
      expect(everything.includes(secret)).toBe(false);
  });
});
