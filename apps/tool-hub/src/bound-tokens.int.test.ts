import { afterEach, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { sendJson } from './testing/http-server.ts';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});
afterEach(() => scene.stop());

const STRONG = { acr: 'high', amr: ['pwd', 'otp'], auth_time: 1_785_585_000 };
const signIn = (claims: Record<string, unknown> = {}) => scene.idTokenOf('user_alice', claims);
async function call(token: string, app = scene.app) {
  const res = await request(app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});
  return [res.status, res.body.code ?? res.get('Legate-Token-Cache')];
}
/** Makes the provider require a high `acr`, except for the application `other`. */
const enforce = () => {
  scene.idp.misbehaviour = {
    token: (_req, res, body) => {
      const [, payload = ''] = new URLSearchParams(body).get('subject_token')?.split('.') ?? [];
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      if (claims.azp === 'tool-hub') return sendJson(res, 400, { error: 'access_denied' });
      const demand = { error: 'insufficient_user_authentication', acr_values: 'high' };
      return sendJson(res, 400, claims.acr === 'high' ? { error: 'access_denied' } : demand);
    },
  };
};

it('does not use a token obtained with a strong sign-in for a weak one', async () => {
  expect(await call(await signIn(STRONG))).toEqual([200, 'miss']);
  enforce();
  expect(await call(await signIn())).toEqual([401, 'sign_in_required']);
  expect(await call(await signIn(STRONG))).toEqual([200, 'hit']);
});

it('does not use the token of another application for a denied one', async () => {
  expect(await call(await signIn(STRONG))).toEqual([200, 'miss']);
  enforce();
  expect(await call(await signIn({ azp: 'tool-hub', ...STRONG }))).toEqual([403, 'delegation_denied']);
  expect(await call(await signIn(STRONG))).toEqual([200, 'hit']);
});

it('applies the same rules in all processes that share a store', async () => {
  expect(await call(await signIn(STRONG))).toEqual([200, 'miss']);
  enforce();
  expect(await call(await signIn(), scene.replica({}))).toEqual([401, 'sign_in_required']);
});

it('makes one exchange for each of two applications that a user uses in turn', async () => {
  const tokens = [await signIn(), await signIn({ azp: 'tool-hub', aud: ['frontend-app', 'tool-hub'] })];
  const answers = [];
  for (let turn = 0; turn < 3; turn += 1) for (const token of tokens) answers.push(await call(token));
  expect(answers.slice(2)).toEqual(Array(4).fill([200, 'hit']));
  expect(scene.idp.exchanges).toHaveLength(2);
});

it('deletes the tokens of a user whom the provider denies later', async () => {
  const [strong, weak] = [await signIn(STRONG), await signIn({ acr: 'low' })];
  expect(await call(strong)).toEqual([200, 'miss']);
  scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
  expect(await call(weak)).toEqual([403, 'delegation_denied']);
  expect(await call(strong)).toEqual([403, 'delegation_denied']);
});
