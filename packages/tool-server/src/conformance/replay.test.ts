import { beforeEach, expect, it } from '@jest/globals';
import { oneTimeKey } from '@legate/jwt';
import {
  createScene,
  HUB,
  ISSUER,
  NOW,
  oauthError,
  type Scene,
  SECOND,
  SECOND_ISSUER,
} from '../testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});

it('redeems an assertion once', async () => {
  const assertion = await scene.idJag();
  expect((await scene.redeem(assertion)).status).toBe(200);
  for (let again = 0; again < 3; again += 1) {
    const res = await scene.redeem(assertion);
    expect([res.status, res.body]).toEqual([400, oauthError('invalid_grant')]);
  }
});

it('redeems exactly one of twenty concurrent presentations', async () => {
  const assertion = await scene.idJag();
  const answers = await Promise.all(Array.from({ length: 20 }, () => scene.redeem(assertion)));
  const codes = answers.map(({ status, body }) => (status === 200 ? 'granted' : body.error)).sort();
  expect(codes).toEqual(['granted', ...Array.from({ length: 19 }, () => 'invalid_grant')]);
});

it('identifies an assertion by its jti, even in a different token', async () => {
  expect((await scene.redeem(await scene.idJag({ jti: 'same' }))).status).toBe(200);
  expect((await scene.redeem(await scene.idJag({ jti: 'same', sub: 'user_bob' }))).body.error).toBe(
    'invalid_grant',
  );
});

it('lets two issuers use the same jti', async () => {
  expect((await scene.redeem(await scene.idJag({ jti: 'same' }))).status).toBe(200);
  expect((await scene.redeem(await scene.idJag({ jti: 'same', iss: SECOND_ISSUER }))).status).toBe(200);
});

it('stores a used assertion until 60 s after its expiry, when it is refused as expired', async () => {
  const assertion = await scene.idJag({ jti: 'j1' });
  scene.time.now = NOW + 10;
  await scene.redeem(assertion);
  expect(scene.store.used).toEqual([[oneTimeKey(['id_jag', ISSUER, 'j1']), 350]]);
  scene.time.now = NOW + 359;
  expect((await scene.redeem(assertion)).body.error).toBe('invalid_grant');
  scene.time.now = NOW + 360;
  expect((await scene.redeem(assertion)).body.error).toBe('invalid_grant');
  expect(scene.store.used).toHaveLength(2);
});

it('uses up an assertion only if the rest of the request is correct', async () => {
  const assertion = await scene.idJag();
  await scene.redeem(assertion, SECOND);
  await scene.redeem(assertion, { client_secret: 'wrong' });
  await scene.redeem(assertion, { resource: 'https://other.example' });
  await scene.redeem(assertion, { scope: 'admin' });
  expect(scene.store.used).toEqual([]);
  expect((await scene.redeem(assertion, HUB)).status).toBe(200);
});
