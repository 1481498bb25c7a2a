import { EventEmitter } from 'node:events';
import { afterEach, expect, it } from '@jest/globals';
import { ENDING_SIGNALS, Interrupted, listenForInterruption, unlessInterrupted } from './interruption.ts';

afterEach(() => {
  for (const signal of ENDING_SIGNALS) process.removeAllListeners(signal);
});
const forever = new Promise<never>(() => {});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s interrupts what runs, and the exit code tells it', async (signal, exitCode) => {
  const interruption = listenForInterruption([]);
  const running = unlessInterrupted(forever, interruption);
  process.emit(signal);
  await expect(running).rejects.toEqual(new Interrupted(exitCode));
  await expect(unlessInterrupted(forever, interruption)).rejects.toMatchObject({ exitCode });
});

it('a closed output interrupts without an error; only the first interruption counts', () => {
  const output = new EventEmitter();
  const interruption = listenForInterruption([output]);
  output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  process.emit('SIGINT');
  expect(interruption.reason).toMatchObject({ exitCode: 141 });
});

it('returns the result of the work unchanged', async () => {
  const interruption = listenForInterruption([]);
  expect(await unlessInterrupted(Promise.resolve(1), interruption)).toBe(1);
  await expect(unlessInterrupted(Promise.reject(new Error('of the work')), interruption)).rejects.toThrow(
    'of the work',
  );
});
