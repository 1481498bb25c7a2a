import { beforeEach, expect, it } from '@jest/globals';
import { frontPageFaults } from '@legate/service/testing';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});

it('names documents on its front page that are there for anybody, and pages that say what problems mean', async () => {
  expect(await frontPageFaults(scene.app, 'http://localhost:4003/errors')).toEqual([]);
});
