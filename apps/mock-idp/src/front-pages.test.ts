import { beforeEach, expect, it } from '@jest/globals';
import { frontPageFaults } from '@legate/service/testing';
import { createTestWorld, type TestWorld } from './testing/scene.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await createTestWorld();
});

it('names documents on its front page that are there for anybody, and pages that say what problems mean', async () => {
  expect(await frontPageFaults(world.app, `${world.issuer}/errors`)).toEqual([]);
});
