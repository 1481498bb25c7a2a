import { beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, RESOURCE, type Scene } from '../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

it('publishes the specified protected resource metadata', async () => {
  const res = await request(scene.app).get('/.well-known/oauth-protected-resource');
  expect([res.status, res.body]).toEqual([
    200,
    {
      resource: RESOURCE,
      authorization_servers: [RESOURCE],
      scopes_supported: ['mcp:tools:read', 'mcp:tools:call'],
      bearer_methods_supported: ['header'],
      resource_name: 'Legate reference tool server',
    },
  ]);
});

it('responds to health, readiness and unknown paths without a stack trace', async () => {
  expect((await request(scene.app).get('/healthz')).body).toEqual({ status: 'ok' });
  expect((await request(scene.app).get('/readyz')).body).toEqual({ status: 'ready' });
  const res = await request(scene.app).get('/nothing');
  expect([res.status, res.headers['content-type'], res.body.code]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
    'not_found',
  ]);
});
