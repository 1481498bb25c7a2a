import { expect, it } from '@jest/globals';
import { createScene } from '../testing/scene.ts';

it('logs the cause when assertions cannot be redeemed because the replay store is down', async () => {
  const scene = await createScene();
  scene.store.down = true;
  expect((await scene.redeem(await scene.idJag())).status).toBe(503);
  const line = scene.lines.find((each) => each.includes('oauth request without a response'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'error',
    code: 'temporarily_unavailable',
    err: { cause: { message: 'Connection is closed.' } },
  });
});
