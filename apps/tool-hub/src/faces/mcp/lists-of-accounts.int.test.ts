import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import { type ConnectScene, createConnectScene } from '../../testing/connect-scene.ts';
import { scriptedMcp, tools } from '../../testing/scripted-mcp.ts';

/** Tests of lists that are read with a connected account, whose token a sign-out does not end */

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

let scene: ConnectScene;
let alice: string;
let askedWith: (string | undefined)[];

beforeEach(async () => {
  askedWith = [];
  scene = await createConnectScene();
  alice = await scene.idTokenOf('user_alice');
  scene.external.misbehaviour = {
    mcp: scriptedMcp({
      'tools/list': ({ headers }) => {
        askedWith.push(headers.authorization);
        return { ...tools('whoami'), ttlMs: 60_000, cacheScope: 'private' };
      },
    }),
  };
  await scene.connect(alice, 'user_alice');
});
afterEach(() => scene.stop());

/** Returns the number of tools, or the code of the error. */
async function list(app: Express = scene.app): Promise<number | string> {
  const { body } = await request(app)
    .post('/mcp/con_notes')
    .set({ Host: 'hub.test', Accept: 'application/json, text/event-stream' })
    .set({ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' })
    .set({ Authorization: `Bearer ${alice}` })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } });
  return body.result?.tools.length ?? body.error.data.code;
}
/** Signs out, and in again. */
async function signOut(app: Express = scene.app) {
  const res = await request(app).delete('/api/v1/tokens').set('Authorization', `Bearer ${alice}`);
  alice = await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' });
  return res;
}

it('a list is cached like any other', async () => {
  expect([await list(), await list(), askedWith.length]).toEqual([1, 1, 1]);
});

it('a list ends when its user signs out, here and elsewhere, even if the token is the same at the next sign-in', async () => {
  const other = scene.replica({});
  for (const app of [scene.app, other]) expect(await list(app)).toBe(1);
  expect((await signOut()).status).toBe(204);
  for (const app of [scene.app, other]) expect(await list(app)).toBe(1);
  expect([askedWith.length, new Set(askedWith).size]).toEqual([4, 1]);
});

it('a list is not used for a later sign-in if the user signed out elsewhere and the message was lost', async () => {
  scene.ends.announce = async () => undefined;
  await list();
  await signOut(scene.replica({}));
  await list();
  expect(askedWith.length).toBe(2);
});

it('a list is dropped when the account is disconnected', async () => {
  expect(await list()).toBe(1);
  expect((await scene.api('delete', alice)).status).toBe(204);
  expect([await list(), askedWith.length]).toEqual(['connection_required', 1]);
});
