import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { callTool } from '../testing/mcp.ts';
import { createScene } from '../testing/scene.ts';

const scene = await createScene();
const server = scene.app.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.close();
});

it.each([
  ['while its body is read', '{"jsonrpc":"2.0",', 200],
  ['before it is answered', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}', undefined],
])('logs no failure if a caller disconnects %s', async (_when, body, length) => {
  const token = await scene.grant();
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const seen = once(server, 'request');
  const socket = connect(address.port, '127.0.0.1');
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost:4003\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\nContent-Length: ${length ?? body.length}\r\n\r\n${body}`,
  );
  const [, res] = await seen;
  const closed = once(res, 'close');
  socket.destroy();
  await closed;
  // The server still responds after everything that a disconnected request may have triggered.
  expect((await callTool(scene.app, token, 'whoami')).status).toBe(200);
  expect(scene.lines.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
});
