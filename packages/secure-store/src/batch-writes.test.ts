import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { batchWrites } from './batch-writes.ts';

/** A connection that records what each system call would send. */
function connect() {
  const sent: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      sent.push(String(chunk));
      done();
    },
    writev(chunks, done) {
      sent.push(chunks.map(({ chunk }) => String(chunk)).join('+'));
      done();
    },
  });
  return { stream, sent };
}

it('sends the commands of one turn in one write, without waiting for replies', async () => {
  const { stream, sent } = connect();
  const redis = Object.assign(new EventEmitter(), { stream });
  batchWrites(redis as unknown as Redis);
  redis.emit('connect');
  stream.write('one');
  queueMicrotask(() => stream.write(Buffer.from('two')));
  expect(sent).toEqual([]);
  await setImmediate();
  stream.write('three');
  await setImmediate();
  expect(sent).toEqual(['one+two', 'three']);
});

it('sends what was written before the connection is closed, and batches on the next one', async () => {
  const [before, after] = [connect(), connect()];
  const redis = Object.assign(new EventEmitter(), { stream: before.stream });
  batchWrites(redis as unknown as Redis);
  redis.emit('connect');
  before.stream.write('last');
  before.stream.end();
  redis.stream = after.stream;
  redis.emit('connect');
  after.stream.write('one');
  after.stream.write('two');
  await setImmediate();
  expect([before.sent, after.sent]).toEqual([['last'], ['one+two']]);
});
