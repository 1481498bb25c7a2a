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

describe('of an answer of which bytes are unread', () => {
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

  it('holds twice as much memory, and waits a minute in silence', () => {
    expect(createResponse(1600).done).toEqual([
      ['held', 3200],
      ['silent', 60_000],
    ]);
  });

  it('waits a millisecond longer for each 16 bytes that are read slowly, and no longer', () => {
    const { done } = createResponse(1600);
    jest.advanceTimersByTime(60_099);
    expect(done).not.toContain('destroyed');
    jest.advanceTimersByTime(1);
    expect(done).toContain('destroyed');
  });

  it('waits for nothing once all is read', () => {
    const { res, done } = createResponse(1600);
    res.emit('close');
    jest.advanceTimersByTime(120_000);
    expect(done).not.toContain('destroyed');
    expect(createResponse(0).done).toEqual([['held', 0]]);
  });
});

it('sends all of it to a client that reads, and the next one on the same connection', async () => {
  for (let request = 0; request < 2; request += 1) {
    const answer = await fetch(`http://127.0.0.1:${portOf()}`);
    expect((await answer.text()).length).toBe(LARGE.length);
  }
});
