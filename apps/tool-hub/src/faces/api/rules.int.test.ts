import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from '../../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});
afterAll(() => scene.stop());

const rules = () => request(scene.app).get('/api/v1/rules');

it('describes the rule of a refused call in the same words as its explanation', async () => {
  const as = { Authorization: `Bearer ${await scene.idTokenOf('user_alice')}` };
  const call = request(scene.app).post('/api/v1/connectors/con_none/tools/whoami/call');
  const callId = (await call.set(as)).get('Legate-Call-Id');
  const { body: why } = await request(scene.app)
    .get(`/api/v1/calls/${callId}/explanation`)
    .set(as)
    .expect(200);
  const { body } = await rules();
  expect(body.rules).toContainEqual({
    leg: why.leg,
    rule: why.rule,
    outcome: why.outcome,
    summary: why.summary,
    remedy: why.remedy,
  });
});

it('lists no rule twice', async () => {
  const { body } = await rules();
  const names = body.rules.map(({ leg, rule }: { leg: string; rule: string }) => `${leg}.${rule}`);
  expect(names.length).toBeGreaterThan(40);
  expect(new Set(names).size).toBe(names.length);
});

it('serves the list to anyone, without counting the request, and returns 304 to callers that have it', async () => {
  const { status, headers } = await rules();
  expect([status, headers['x-ratelimit-limit']]).toEqual([200, undefined]);
  const again = await rules().set('If-None-Match', String(headers.etag));
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await request(scene.app).post('/api/v1/rules')).status).toBe(405);
});
