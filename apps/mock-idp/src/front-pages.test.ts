import { beforeEach, expect, it } from '@jest/globals';
import { frontPageFaults } from '@legate/service/testing';
import { createTestWorld, type TestWorld } from './testing/scene.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await createTestWorld();
});

it('links public documents on its front page, and serves the pages that explain problems', async () => {
  expect(await frontPageFaults(world.app, `${world.issuer}/errors`)).toEqual([]);
});
