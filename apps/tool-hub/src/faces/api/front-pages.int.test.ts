import { afterEach, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from '../../testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});
afterEach(() => scene.stop());

it('names documents on its front page that are there, for anybody', async () => {
  const { body } = await request(scene.app).get('/');
  const paths = body.documents.map(({ href }: { href: string }) => new URL(href).pathname);
  expect(paths).toContain('/errors');
  for (const path of paths) {
    const { status } = await request(scene.app).get(path);
    expect([path, status]).toEqual([path, 200]);
  }
});

it('says where the type of a problem leads what the problem means', async () => {
  const { body: problem } = await request(scene.app).get('/no/such/path');
  expect(problem.type).toBe('http://hub.test/errors/not_found');
  const page = await request(scene.app).get('/errors/not_found').set('Accept', 'text/html');
  expect([page.status, page.type]).toEqual([200, 'text/html']);
  expect(page.text).toContain(problem.title);
});
