import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  newBrowser,
} from '../../testing/authorization-scene.ts';
import { createScene, type Scene } from '../../testing/scene.ts';

/** Tests of what users see of their sessions, and how they end one of them */

let scene: Scene;
let alice: string;
beforeEach(async () => {
  scene = await createScene();
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

const send = (method: 'get' | 'post' | 'delete', path: string, token: string) =>
  request(scene.app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
const open = async (token: string, body: object = {}): Promise<string> =>
  (await send('post', '/sessions', token).send(body).expect(201)).body.session;
const list = (token = alice) => send('get', '/sessions', token);
const idsOf = async (token?: string): Promise<string[]> =>
  (await list(token)).body.data.map(({ id }: { id: string }) => id);

describe('a user', () => {
  it('sees each session with its times, the newest first, and which one is current', async () => {
    const openedAt = scene.clock().toISOString();
    const handle = await open(alice, { refresh_token: 'r-1' });
    scene.clock.advanceSeconds(60);
    await open(alice);
    const answer = await list(handle);
    expect([answer.status, answer.get('Cache-Control'), answer.body.pagination.total]).toEqual([
      200,
      'no-store',
      2,
    ]);
    expect(answer.body.data[1]).toEqual({
      id: expect.stringMatching(/^hse_[\w-]{22}$/),
      client_id: expect.any(String),
      agent_id: null,
      opened_at: openedAt,
      last_used_at: expect.stringMatching(/^2\d{3}-/),
      expires_at: expect.stringMatching(/^2\d{3}-/),
      renewable: true,
      current: true,
    });
    expect(answer.body.data[0]).toMatchObject({ renewable: false, current: false });
    expect((await send('get', '/sessions?limit=1&offset=1', alice)).body.data).toMatchObject([
      { id: answer.body.data[1].id, current: false },
    ]);
  });

  it('gets no handle, and no token', async () => {
    const handle = await open(alice, { refresh_token: 'r-secret' });
    const { text } = await list();
    for (const secret of [handle, handle.slice(4), alice, 'eyJ', 'r-secret', 'session:'])
      expect(text).not.toContain(secret);
  });

  it('sees no sessions of other users, nor of another organization', async () => {
    await open(alice);
    expect(await idsOf(await scene.idTokenOf('user_bob'))).toEqual([]);
    expect(await idsOf(await scene.idTokenOf('user_alice', { organization_id: 'org_globex' }))).toEqual([]);
  });

  it('ends one session and keeps the others, and this is audited', async () => {
    const first = await open(alice);
    scene.clock.advanceSeconds(1);
    const second = await open(alice);
    const [, oldest = ''] = await idsOf();
    expect((await send('delete', `/sessions/${oldest}`, second)).status).toBe(204);
    expect((await list(first)).body.code).toBe('session_ended');
    expect((await idsOf(second)).length).toBe(1);
    expect((await scene.audited()).at(-1)).toMatchObject({
      action: 'session.ended',
      actor: { id: 'user_alice' },
      details: { reason: 'signed_out' },
    });
  });

  it("cannot end somebody else's session, nor one in another organization, and does not learn whether it exists", async () => {
    await open(alice);
    const [id = ''] = await idsOf();
    const others = [
      await scene.idTokenOf('user_bob'),
      await scene.idTokenOf('user_alice', { organization_id: 'org_globex' }),
      await scene.idTokenOf('user_admin', { roles: ['admin'] }),
    ];
    for (const other of others) {
      const { status, body } = await send('delete', `/sessions/${id}`, other);
      const unknown = await send('delete', '/sessions/hse_none', other);
      expect([status, body.code, body.detail]).toEqual([404, 'session_not_found', unknown.body.detail]);
    }
    expect(await idsOf()).toEqual([id]);
  });

  it('does not prolong a session by looking at it', async () => {
    await open(alice, { refresh_token: 'r-1' });
    scene.clock.advanceSeconds(3000);
    const [before] = (await list()).body.data;
    const [after] = (await list()).body.data;
    expect(after.last_used_at).toBe(before.last_used_at);
  });
});

it('lists the sessions of MCP clients too, under the name of the client', async () => {
  await scene.stop();
  const authorization: AuthorizationScene = await createAuthorizationScene();
  scene = authorization;
  await authorization.tokens(newBrowser(), { client_id: 'other' });
  const token = await authorization.idTokenOf('user_alice');
  const [session] = (await list(token)).body.data;
  expect(session).toMatchObject({ client_id: 'other', current: false });
  expect((await send('delete', `/sessions/${session.id}`, token)).status).toBe(204);
  expect((await send('get', '/clients', token)).body.data).toEqual([]);
});
