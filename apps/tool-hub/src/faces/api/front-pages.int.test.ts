import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { frontPageFaults } from '@legate/service/testing';
import { createScene, type Scene } from '../../testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});
afterEach(() => scene.stop());

it('names documents on its front page that are there for anybody, and pages that say what problems mean', async () => {
  expect(await frontPageFaults(scene.app, 'http://hub.test/errors')).toEqual([]);
});
