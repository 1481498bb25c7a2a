import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { createAnswerFinder } from './event-stream.ts';
import { exchange } from './exchange.ts';

/** A tool server that answers with whatever bytes a test wants. */
let answer: (socket: Socket) => void;
const server = createServer((socket) => {
  socket.on('error', () => undefined); // the hub hangs up
  socket.once('data', () => answer(socket));
});
let dispatcher: Agent;

beforeEach(async () => {
  dispatcher = new Agent();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await dispatcher.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const send = () =>
  exchange(dispatcher, {
    method: 'POST',
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/mcp',
    headers: [],
    body: '{}',
    timeoutMs: 10_000,
    maxBytes: 65_536,
    readStream: () => createAnswerFinder(1),
  });

const interim = (count: number) => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count);
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

it('passes over 20 interim answers', async () => {
  answer = (socket) => socket.write(interim(20) + FINAL);
  expect(await send()).toMatchObject({ status: 200, text: '{}' });
});

it('hangs up at the 21st interim answer', async () => {
  const closed = new Promise((resolve) => {
    answer = (socket) => {
      socket.on('close', resolve);
      socket.write(interim(21));
    };
  });
  await expect(send()).rejects.toMatchObject({
    kind: 'unusable',
    reason: 'it sent more than 20 interim answers',
  });
  await closed;
});
