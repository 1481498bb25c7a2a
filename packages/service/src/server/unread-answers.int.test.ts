import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { needs } from '@legate/testing';
import { createExpressApp, createHttpServer, cutUnreadAnswers } from '../index.ts';

const ANSWER = 'x'.repeat(16 * 1024 * 1024); // more than the network buffers of client and server

let server: Server;
let client: Socket | undefined;
afterEach(() => {
  client?.destroy();
  server.close();
});

async function serve(stalledSeconds: number, seconds: number): Promise<number> {
  const app = createExpressApp();
  app.use(cutUnreadAnswers({ stalledSeconds, seconds }));
  app.get('/', (_req, res) => void res.end(ANSWER));
  server = createHttpServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * @returns a client whose response the test reads when it likes, and a promise that resolves when the connection is cut
 */
async function ask(port: number) {
  const cut = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return { client, cut };
}

it('disconnects a client that reads nothing of its response', async () => {
  const { cut } = await ask(await serve(0.05, 60));
  expect(await cut).toBeDefined();
});

it('disconnects a client that reads only a little of its response now and then', async () => {
  const { client, cut } = await ask(await serve(60, 0.3));
  const reading = setInterval(() => client.read(1000), 20);
  await cut;
  clearInterval(reading);
});

needs('night').it('leaves a client that goes on reading, however slowly', async () => {
  const { client, cut } = await ask(await serve(1, 60));
  let isCut = false;
  void cut.then(() => (isCut = true));
  let length = 0;
  while (length < ANSWER.length) {
    if (isCut) throw new Error(`cut after ${length} bytes`);
    length += client.read()?.length ?? 0;
    // Reading half of it takes longer than the limit for reading nothing.
    await new Promise((resolve) => setTimeout(resolve, length < ANSWER.length / 2 ? 10 : 0));
  }
  expect(length).toBeGreaterThanOrEqual(ANSWER.length);
});

it('keeps the connection for further requests once the response is read', async () => {
  const port = await serve(20, 60);
  const accepted = once(server, 'connection');
  const closed = once(server, 'request').then(([, res]) => once(res, 'close'));
  const { client } = await ask(port);
  client.resume();
  await closed;
  const [socket] = await accepted;
  expect(socket.destroyed).toBe(false);
  expect(socket.timeout).toBeGreaterThanOrEqual(server.keepAliveTimeout);
});

it('sends the whole response to a client that reads', async () => {
  const answer = await fetch(`http://127.0.0.1:${await serve(20, 60)}/`);
  expect((await answer.text()).length).toBe(ANSWER.length);
});
