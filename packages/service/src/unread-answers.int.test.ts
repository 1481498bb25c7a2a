import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createExpressApp, createHttpServer, cutUnreadAnswers } from './index.ts';

const ANSWER = 'x'.repeat(16 * 1024 * 1024); // more than the buffers of both systems hold

let server: Server;
let client: Socket | undefined;
afterEach(() => {
  client?.destroy();
  server.close();
});

async function serve(seconds: number): Promise<number> {
  const app = createExpressApp();
  app.use(cutUnreadAnswers(seconds));
  app.get('/', (_req, res) => void res.end(ANSWER));
  server = createHttpServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

it('cuts a client that leaves its answer unread', async () => {
  const port = await serve(0.05);
  const cut = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await cut).toBeDefined();
});

it('sends its answer whole to a client that reads', async () => {
  const answer = await fetch(`http://127.0.0.1:${await serve(60)}/`);
  expect((await answer.text()).length).toBe(ANSWER.length);
});
