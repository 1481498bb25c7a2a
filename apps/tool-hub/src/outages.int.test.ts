import { afterEach, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
let alice: string;
let bob: string;

beforeEach(async () => {
  scene = await createScene();
  [alice, bob] = await Promise.all([scene.idTokenOf('user_alice'), scene.idTokenOf('user_bob')]);
});

afterEach(() => scene.stop());

const call = (token: string) =>
  request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});

it('without the identity provider, cached tokens work and other calls get 503', async () => {
  await call(alice);
  await scene.idp.stop();
  const cached = await call(alice);
  expect([cached.status, cached.get('Legate-Token-Cache')]).toEqual([200, 'hit']);
  const fresh = await call(bob);
  expect([fresh.status, fresh.body.code, fresh.get('Retry-After')]).toEqual([503, 'idp_unavailable', '5']);
});

it('with an identity provider that never responds, all calls end', async () => {
  await call(alice);
  scene.idp.misbehaviour = { token: () => {} };
  const fresh = await call(bob);
  expect([fresh.status, fresh.body.code]).toEqual([503, 'idp_unavailable']);
  expect((await call(alice)).status).toBe(200);
});

it('a hub that starts while the identity provider is down reports no token as invalid', async () => {
  await scene.idp.stop();
  const res = await call(alice);
  expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([503, 'idp_unavailable', '5']);
});

it('without the tool server, its tools fail at once', async () => {
  await call(alice);
  await scene.toolServer.stop();
  for (const token of [alice, bob]) {
    const res = await call(token);
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([
      503,
      'tool_server_unavailable',
      '5',
    ]);
  }
});

it('without the token store, every call makes an exchange, and succeeds', async () => {
  await scene.stop();
  const down = () => Promise.reject(new Error('connection refused'));
  scene = await createScene({ backend: (memory) => ({ ...memory, getMany: down, set: down, delete: down }) });
  const token = await scene.idTokenOf('user_alice');
  const answers = [await call(token), await call(token)];
  expect(answers.map((res) => [res.status, res.get('Legate-Token-Cache')])).toEqual([
    [200, 'miss'],
    [200, 'miss'],
  ]);
  expect(scene.idp.exchanges.length).toBe(2);
  expect(scene.logged()).toContain('token cache: entry cannot be read');
  expect(await scene.metrics()).toContain('token_cache_lookups_total{outcome="error",service="tool-hub"} 2');
});

it('an entry moved to another key is refused, and replaced by a new token', async () => {
  await call(alice);
  const [ofAlice] = scene.entries.values();
  expect(ofAlice).toBeDefined();
  await scene.backend.set('token:org_acme:con_tools:user_bob', ofAlice?.value ?? Buffer.alloc(0), 3600);
  const res = await call(bob);
  expect([res.status, res.get('Legate-Token-Cache'), res.body.content[0].text]).toEqual([
    200,
    'miss',
    'user_bob',
  ]);
  expect((await call(bob)).get('Legate-Token-Cache')).toBe('hit');
});
