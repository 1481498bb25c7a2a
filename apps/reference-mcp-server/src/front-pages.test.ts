import { beforeEach, expect, it } from '@jest/globals';
import { frontPageFaults } from '@legate/service/testing';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});

it('links public documents on its front page, and serves the pages that explain problems', async () => {
  expect(await frontPageFaults(scene.app, 'http://localhost:4003/errors')).toEqual([]);
});
