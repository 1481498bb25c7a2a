import { beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestWorld, type TestWorld } from './testing/scene.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await createTestWorld();
});

it('names documents on its front page that are there, for anybody', async () => {
  const { body } = await request(world.app).get('/');
  const paths = body.documents.map(({ href }: { href: string }) => new URL(href).pathname);
  expect(paths).toContain('/errors');
  for (const path of paths) {
    const { status } = await request(world.app).get(path);
    expect([path, status]).toEqual([path, 200]);
  }
});

it('says where the type of a problem leads what the problem means', async () => {
  const { body: problem } = await request(world.app).get('/no/such/path');
  expect(problem.type).toBe(`${world.issuer}/errors/not_found`);
  const page = await request(world.app).get('/errors/not_found').set('Accept', 'text/html');
  expect([page.status, page.type]).toEqual([200, 'text/html']);
  expect(page.text).toContain(problem.title);
});
