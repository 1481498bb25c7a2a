import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { type Handler, sendJson } from './testing/http-server.ts';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
let alice: string;
beforeAll(async () => {
  scene = await createScene();
});
beforeEach(async () => {
  scene.clock.advanceSeconds(3601); // makes the hub determine the server's revision again
  alice = await scene.idTokenOf('user_alice');
});
afterAll(() => scene.stop());

const call = () =>
  request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/x/call')
    .set('Authorization', `Bearer ${alice}`)
    .send({});

/** Serves MCP with the given revisions; `seen` contains the messages that it received. */
function serve(options: { supported: unknown; refuses: (version: string, seen: number) => boolean }) {
  const seen: string[] = [];
  const mcp: Handler = (req, res, body) => {
    const { id, method, params } = JSON.parse(body);
    const version = method === 'initialize' ? params.protocolVersion : req.headers['mcp-protocol-version'];
    seen.push(`${method} ${version}`);
    if (options.refuses(String(version), seen.length)) {
      const data = { supported: options.supported, requested: version };
      const error = { code: -32022, message: 'Unsupported protocol version', data };
      return sendJson(res, 400, { jsonrpc: '2.0', id, error });
    }
    if (id === undefined) return void res.writeHead(202).end();
    const result =
      method === 'initialize'
        ? { protocolVersion: version, capabilities: {}, serverInfo: { name: 's', version: '1' } }
        : { content: [], resultType: 'complete' };
    sendJson(res, 200, { jsonrpc: '2.0', id, result });
  };
  scene.toolServer.misbehaviour = { mcp };
  return seen;
}

it('calls with the best revision that a server supports, and remembers it', async () => {
  const seen = serve({
    supported: ['2024-10-07', '2025-03-26', '2025-06-18', '2099-01-01'],
    refuses: (version) => version > '2025-06-18',
  });
  expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(200);
  expect(seen).toEqual([
    'server/discover 2026-07-28',
    'initialize 2025-06-18',
    'notifications/initialized 2025-06-18',
    'tools/call 2025-06-18',
    'tools/call 2025-06-18',
  ]);
});

it('calls in the newest revision if a server turns out to support it', async () => {
  const seen = serve({ supported: ['2026-07-28'], refuses: (_version, count) => count === 1 });
  expect((await call()).status).toBe(200);
  expect(seen).toEqual(['server/discover 2026-07-28', 'server/discover 2026-07-28', 'tools/call 2026-07-28']);
});

it.each<[string, unknown, number]>([
  ['has no revision of the hub', ['2024-10-07'], 1],
  ['names no revisions', 'all', 1],
  ['refuses what it says it has', ['2026-07-28', '2025-11-25'], 2],
])('reports an error if a server %s', async (_case, supported, requests) => {
  const seen = serve({ supported, refuses: () => true });
  const res = await call();
  expect([res.status, res.body.code, seen.length]).toEqual([502, 'tool_server_error', requests]);
});
