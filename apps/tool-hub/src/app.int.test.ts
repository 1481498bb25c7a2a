import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
let alice: string;

beforeEach(async () => {
  scene = await createScene();
  alice = await scene.idTokenOf('user_alice');
});

afterEach(() => scene.stop());

const call = (token: string, tool = 'whoami', body: unknown = { arguments: {} }, connector = 'con_tools') =>
  request(scene.app)
    .post(`/api/v1/connectors/${connector}/tools/${tool}/call`)
    .set('Authorization', `Bearer ${token}`)
    .send(body as object);

describe('a tool call', () => {
  it('runs as the caller, and answers with the CallToolResult itself', async () => {
    const res = await call(alice);
    expect(res.status).toBe(200);
    expect(res.body).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'user_alice' }] });
    expect(res.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(res.get('Cache-Control')).toBe('no-store');
    expect(res.get('Legate-Token-Cache')).toBe('miss');
    expect(res.get('X-Request-Id')).toMatch(/^req_/);
  });
});
