import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from '../../testing/scene.ts';

const APP = 'https://app.example';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene(); // its configuration allows the origin APP
});
afterAll(() => scene.stop());

const from = (origin: string, token?: string) =>
  request(scene.app)
    .get('/api/v1/connectors')
    .set({ Origin: origin, ...(token !== undefined && { Authorization: `Bearer ${token}` }) });

describe('a page of an allowed origin', () => {
  it.each([APP, 'http://hub.test'])('reads answers, refusals too: %s', async (origin) => {
    const alice = await scene.idTokenOf('user_alice');
    const answers = [await from(origin, alice), await from(origin)];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate');
    }
  });

  it.each([
    ['POST', '/api/v1/connectors/con_tools/tools/whoami/call'],
    ['DELETE', '/api/v1/tokens'],
  ])('learns from a preflight, without a token, that it may send %s %s', async (method, path) => {
    const answer = await request(scene.app).options(path).set({
      Origin: APP,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type,legate-agent-id',
    });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([204, APP]);
    expect(answer.headers['access-control-allow-methods']).toContain(method);
    expect(answer.headers['access-control-allow-headers']).toContain('Legate-Agent-Id');
  });
});

it.each(['https://evil.example', 'null', 'https://app.example.evil.example'])(
  'a page of %s can read nothing',
  async (origin) => {
    const answer = await from(origin, await scene.idTokenOf('user_alice'));
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  },
);

it('a page that uses MCP may send the headers of tools, and no others', async () => {
  const answer = await request(scene.app)
    .options('/mcp')
    .set({
      Host: 'hub.test',
      Origin: APP,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': `authorization,mcp-param-region,x-evil,mcp-param-${'x'.repeat(65)}`,
    });
  const allowed = (answer.headers['access-control-allow-headers'] ?? '').split(',');
  expect([answer.status, allowed]).toEqual([
    204,
    expect.arrayContaining(['Authorization', 'mcp-param-region']),
  ]);
  expect(allowed.filter((name) => /evil|x{65}/.test(name))).toEqual([]);
});
