import { getEventListeners } from 'node:events';
import { expect, it } from '@jest/globals';
import { shareWhileRunning } from './share-while-running.ts';
import { unlessAborted } from './unless-aborted.ts';

it('rejects with the reason of the signal, while others get the outcome', async () => {
  let end: (outcome: string) => void = () => {};
  const run = shareWhileRunning(() => new Promise<string>((resolve) => (end = resolve)));
  const leaving = new AbortController();
  const left = unlessAborted(run(), leaving.signal);
  const waiting = unlessAborted(run());
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  end('token');
  expect(await waiting).toBe('token');
});

it('rejects at once if the signal is already aborted', async () => {
  await expect(unlessAborted(Promise.resolve(1), AbortSignal.abort(new Error('left')))).rejects.toThrow(
    'left',
  );
});

it('leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
