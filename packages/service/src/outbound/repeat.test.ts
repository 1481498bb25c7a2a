import { expect, it } from '@jest/globals';
import { repeat } from './repeat.ts';

it('runs repeatedly, also after a failure, until it is stopped', async () => {
  let runs = 0;
  const errors: unknown[] = [];
  const thirdRun = deferred();
  const repeating = repeat({
    async work() {
      runs += 1;
      if (runs === 1) throw new Error('first');
      if (runs === 3) thirdRun.resolve();
    },
    pauseMs: 1,
    onError: (err) => errors.push(err),
  });
  await thirdRun.promise;
  await repeating.stop();
  const runsAtStop = runs;
  await new Promise((resolve) => setImmediate(resolve));
  expect([runs, errors]).toEqual([runsAtStop, [new Error('first')]]);
});

it('aborts the signal of the current run when it is stopped, and waits for that run', async () => {
  const [started, release] = [deferred(), deferred()];
  let ended = false;
  const repeating = repeat({
    async work(signal) {
      started.resolve();
      await release.promise;
      ended = signal.aborted;
    },
    pauseMs: 1,
    onError: () => undefined,
  });
  await started.promise;
  const stopped = repeating.stop();
  release.resolve();
  await stopped;
  expect(ended).toBe(true);
});

it('stops at once during a pause', async () => {
  await repeat({ work: async () => undefined, pauseMs: 3_600_000, onError: () => undefined }).stop();
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
