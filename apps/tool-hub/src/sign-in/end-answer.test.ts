import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { endAnswer } from './end-answer.ts';

const UNREAD_MS = 20;
let unreadMs: number | undefined;
/** More than the operating system buffers for a client that does not read */
const LARGE = 'x'.repeat(16 * 1_048_576);

const server = createServer((_req, res) => {
  server.emit('answering', res);
  endAnswer(res, LARGE, undefined, unreadMs);
});

beforeEach(async () => {
  unreadMs = undefined;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const portOf = () => (server.address() as AddressInfo).port;

it('drops a response that is not read', async () => {
  unreadMs = UNREAD_MS;
  const answering = once(server, 'answering');
  const caller = connect(portOf(), '127.0.0.1').pause();
  caller.on('error', () => undefined); // reset
  caller.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [res]: ServerResponse[] = await answering;
  if (!res) throw new Error('nothing was answered');
  await once(res, 'close');
  caller.resume();
  let read = 0;
  caller.on('data', (chunk) => {
    read += chunk.length;
  });
  await once(caller, 'close');
  expect(read).toBeLessThan(LARGE.length);
});

it('sends all of it to a client that reads, and the next one on the same connection', async () => {
  for (let request = 0; request < 2; request += 1) {
    const answer = await fetch(`http://127.0.0.1:${portOf()}`);
    expect((await answer.text()).length).toBe(LARGE.length);
  }
});
