import { afterEach, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { sendJson } from './testing/http-server.ts';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
let authorization: { Authorization: string };

beforeEach(async () => {
  scene = await createScene();
  authorization = { Authorization: `Bearer ${await scene.idTokenOf('user_alice')}` };
});

afterEach(() => scene.stop());

it.each([
  ['put', '/connectors', 'GET, HEAD'],
  ['post', '/connectors/con_tools/tools', 'GET, HEAD'],
  ['get', '/connectors/con_tools/tools/whoami/call', 'POST'],
  ['get', '/tokens', 'DELETE'],
  ['options', '/tokens', 'DELETE'],
] as const)('responds to %s %s with 405 and the allowed methods', async (method, path, allow) => {
  const res = await request(scene.app)[method](`/api/v1${path}`).set(authorization);
  expect([res.status, res.body.code, res.get('Allow')]).toEqual([405, 'method_not_allowed', allow]);
});

it.each([
  ['a JSON-RPC error', { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'too large' } }],
  ['no JSON-RPC', {}],
])(
  "reports a tool server that refuses the arguments as too large, by %s, as the caller's fault",
  async (_case, body) => {
    scene.toolServer.misbehaviour = { mcp: (_req, res) => sendJson(res, 413, body) };
    const res = await request(scene.app)
      .post('/api/v1/connectors/con_tools/tools/whoami/call')
      .set(authorization)
      .send({ arguments: { text: 'x'.repeat(1000) } });
    expect([res.status, res.body.code]).toEqual([413, 'payload_too_large']);
  },
);
