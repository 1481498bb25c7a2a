import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryBudget, createMetrics, type MemoryHold } from '@legate/service';
import { Agent } from 'undici';
import { createAnswerFinder, type StreamReader } from './event-stream.ts';
import { sendHttp } from './send-http.ts';

/** A tool server that sends the bytes that a test specifies. */
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

const budget = createMemoryBudget({
  limitBytes: 1_000_000,
  organizationPercent: 100,
  userPercent: 10,
  metrics: createMetrics('tool-hub').registry,
});
let memory: MemoryHold;
beforeEach(() => {
  memory = budget.open({ organizationId: 'org_acme', userId: 'user_alice' });
});
afterEach(() => memory.close());

const send = (readStream: () => StreamReader = () => createAnswerFinder(1)) =>
  sendHttp(dispatcher, {
    method: 'POST',
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/mcp',
    headers: [],
    body: '{}',
    timeoutMs: 10_000,
    maxBytes: 65_536,
    readStream,
    memory,
  });

const interim = (count: number) => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count);
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

it('ignores up to 20 interim responses', async () => {
  answer = (socket) => socket.write(interim(20) + FINAL);
  expect(await send()).toMatchObject({ status: 200, text: '{}' });
});

it('closes the connection at the 21st interim response', async () => {
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

const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n';
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

it('disconnects as soon as there is no memory left for the response, and releases the memory that it used', async () => {
  const closed = new Promise((resolve) => {
    answer = (socket) => {
      socket.on('close', resolve);
      socket.write(`${HEAD}\r\n${chunkOf('x'.repeat(60_000))}`);
    };
  });
  await expect(send()).rejects.toMatchObject({ kind: 'no_memory' });
  await closed;
  expect(memory.take(100_000)).toBe(true);
});

it('keeps counting the memory of a response that is still to be passed on', async () => {
  answer = (socket) => socket.write(`${HEAD}\r\n${chunkOf('x'.repeat(20_000))}${END}`);
  expect((await send()).text.length).toBe(20_000);
  expect([memory.take(70_000), memory.take(50_000)]).toEqual([false, true]);
});

it('refuses a response in many chunks of one byte', async () => {
  answer = (socket) => socket.write(`${HEAD}\r\n${chunkOf('x').repeat(20_000)}`);
  await expect(send()).rejects.toMatchObject({
    kind: 'unusable',
    reason: 'it answered in too many small chunks',
  });
});

describe('an event stream', () => {
  const STREAM = `${HEAD}Content-Type: text/event-stream\r\n\r\n`;
  const collect = (until: string) => {
    const pieces: string[] = [];
    const reader: StreamReader = {
      read(piece) {
        pieces.push(piece);
        return piece.includes(until) ? piece : undefined;
      },
      place: { lastEventId: undefined, retryMs: undefined },
    };
    return { pieces, reader };
  };

  it('is read in whole lines, however it is split into chunks', async () => {
    const { pieces, reader } = collect('grün');
    const cut = Buffer.from('data: grün\n\n');
    answer = (socket) => {
      socket.write(`${STREAM}${chunkOf('da')}${chunkOf('ta: 1\r\nda')}${chunkOf('ta: 2\n')}`);
      // In the middle of a character
      for (const part of [cut.subarray(0, 9), cut.subarray(9)]) {
        socket.write(`${part.length.toString(16)}\r\n`);
        socket.write(part);
        socket.write('\r\n');
      }
      socket.write(END);
    };
    await send(() => reader);
    expect(pieces).toEqual(['data: 1\r\n', 'data: 2\n', 'data: grün\n\n']);
  });

  it('uses memory only for the incomplete event, however many events there are', async () => {
    const { reader } = collect('the end');
    const event = chunkOf(`data: ${'x'.repeat(5000)}\n\n`);
    answer = (socket) => socket.write(`${STREAM}${event.repeat(12)}${chunkOf('data: the end\n\n')}${END}`);
    await send(() => reader);
    expect(memory.take(90_000)).toBe(true);
  });

  it('is aborted when there is no memory left for an event', async () => {
    const { reader } = collect('the end');
    answer = (socket) => socket.write(`${STREAM}${chunkOf('data\n'.repeat(2000))}`);
    await expect(send(() => reader)).rejects.toMatchObject({ kind: 'no_memory' });
    expect(memory.take(100_000)).toBe(true);
  });
});
