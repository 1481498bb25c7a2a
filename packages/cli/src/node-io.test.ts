import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { nodeIo } from './node-io.ts';

const ioWith = (isTTY: boolean) => {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough().resume();
  const io = nodeIo(Object.create(process, { stdin: { value: stdin }, stderr: { value: stderr } }));
  return { stdin, io };
};

it('is interrupted by Ctrl-D at a question', async () => {
  const { stdin, io } = ioWith(true);
  const asked = io.ask('Which?');
  stdin.write('\u0004');
  await expect(asked).rejects.toThrow();
  expect(io.signal.aborted).toBe(true);
});

it('goes on after an answer', async () => {
  const { stdin, io } = ioWith(true);
  const asked = io.ask('Which?');
  stdin.write('this\r');
  expect([await asked, io.signal.aborted]).toEqual(['this', false]);
});

it('takes the end of a file for an empty answer', async () => {
  const { stdin, io } = ioWith(false);
  const asked = io.ask('Which?');
  stdin.end();
  expect([await asked, io.signal.aborted]).toEqual(['', false]);
});
