import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it, jest } from '@jest/globals';
import { type BodyFault, collectBody } from './collect-body.ts';

type Outcome = BodyFault | string;

/** A request whose body is sent by a test, and the outcomes of reading it */
function read(options: { maxBytes?: number; headers?: IncomingMessage['headers']; room?: number }): {
  req: PassThrough;
  outcomes: Outcome[];
  held: () => number;
} {
  const { maxBytes = 100_000, headers = {}, room = Number.POSITIVE_INFINITY } = options;
  let held = 0;
  const memory = {
    take(bytes: number) {
      if (held + bytes > room) return false;
      held += bytes;
      return true;
    },
    give(bytes: number) {
      held -= bytes;
    },
  };
  const req = Object.assign(new PassThrough(), { headers });
  const outcomes: Outcome[] = [];
  collectBody(req as unknown as IncomingMessage, { maxBytes, memory }, (fault, body) => {
    outcomes.push(fault ?? body.toBuffer().toString());
  });
  return { req, outcomes, held: () => held };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('returns the body, however it was split into chunks', async () => {
  const { req, outcomes } = read({});
  for (const chunk of ['a', 'bc', '', 'd'.repeat(9000)]) req.write(chunk);
  req.end();
  await settled();
  expect(outcomes).toEqual([`abc${'d'.repeat(9000)}`]);
});

it('runs the callback in the asynchronous context of its caller', async () => {
  const storage = new AsyncLocalStorage<string>();
  const req = Object.assign(new PassThrough(), { headers: {} });
  const done = new Promise((resolve) =>
    storage.run('caller', () =>
      collectBody(req as unknown as IncomingMessage, { maxBytes: 10 }, () => resolve(storage.getStore())),
    ),
  );
  storage.run('sender', () => req.end('body'));
  expect(await done).toBe('caller');
});

it('returns an empty body', async () => {
  const { req, outcomes } = read({});
  req.end();
  await settled();
  expect(outcomes).toEqual(['']);
});

it('immediately refuses a request whose Content-Length is over the limit', () => {
  expect(read({ maxBytes: 10, headers: { 'content-length': '11' } }).outcomes).toEqual(['too_large']);
});

it('refuses a body that is over the limit, and drops the rest', async () => {
  const { req, outcomes, held } = read({ maxBytes: 10 });
  req.write('12345678901');
  await settled();
  expect([outcomes, held()]).toEqual([['too_large'], 0]);
  req.end('more');
  await settled();
  expect([outcomes, req.readableEnded]).toEqual([['too_large'], true]);
});

it('refuses a body in too many chunks of one byte, and closes the connection after the response', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const { req, outcomes, held } = read({});
  for (let i = 0; i < 17_000; i += 1) if (!req.write('x')) await settled();
  await settled();
  expect([outcomes, held(), req.destroyed]).toEqual([['fragmented'], 0, false]);
  jest.advanceTimersByTime(500);
  expect(req.destroyed).toBe(true);
  jest.useRealTimers();
});

it('refuses a body for which there is no memory', async () => {
  const { req, outcomes, held } = read({ room: 4 });
  req.write('12345');
  await settled();
  expect([outcomes, held()]).toEqual([['no_room'], 0]);
});

it.each(['a closed connection', 'an error'])('reports %s before the end', async (what) => {
  const { req, outcomes } = read({});
  req.on('error', () => undefined);
  req.write('x');
  req.destroy(what === 'an error' ? new Error('reset') : undefined);
  await settled();
  expect(outcomes).toEqual(['hung_up']);
});
