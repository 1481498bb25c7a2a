import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { MemoryHold } from '../memory/memory-budget.ts';
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
  caller.on('error', () => undefined); // the connection is reset
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

describe('a response with unread bytes', () => {
  /** A response with so many unread bytes, and what was done with it. */
  function createResponse(unreadBytes: number) {
    const done: unknown[] = [];
    const res = Object.assign(new EventEmitter(), {
      writableLength: unreadBytes,
      end: () => {},
      setTimeout: (ms: number) => void done.push(['silent', ms]),
      destroy: () => void done.push('destroyed'),
    });
    const memory = { keepOnly: (bytes: number) => void done.push(['held', bytes]) };
    endAnswer(res as unknown as ServerResponse, 'a text', memory as unknown as MemoryHold);
    return { res, done };
  }
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('counts twice as many bytes, and is dropped after a minute in which nothing is read', () => {
    expect(createResponse(1600).done).toEqual([
      ['held', 3200],
      ['silent', 60_000],
    ]);
  });

  it('is dropped after a minute and a millisecond for each 16 bytes, however it is read', () => {
    const { done } = createResponse(1600);
    jest.advanceTimersByTime(60_099);
    expect(done).not.toContain('destroyed');
    jest.advanceTimersByTime(1);
    expect(done).toContain('destroyed');
  });

  it('has no timers once all bytes are read', () => {
    const { res, done } = createResponse(1600);
    res.emit('close');
    jest.advanceTimersByTime(120_000);
    expect(done).not.toContain('destroyed');
    expect(createResponse(0).done).toEqual([['held', 0]]);
  });
});

it('sends the whole response to a client that reads, and the next one on the same connection', async () => {
  for (let request = 0; request < 2; request += 1) {
    const answer = await fetch(`http://127.0.0.1:${portOf()}`);
    expect((await answer.text()).length).toBe(LARGE.length);
  }
});
