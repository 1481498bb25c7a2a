import { expect, it } from '@jest/globals';
import { shareWhileRunning } from './share-while-running.ts';

it('runs work once for all concurrent callers, and again for later ones', async () => {
  const ends: ((outcome: number) => void)[] = [];
  const run = shareWhileRunning(() => new Promise<number>((resolve) => ends.push(resolve)));
  const callers = [run(), run(), run()];
  ends[0]?.(1);
  expect(await Promise.all(callers)).toEqual([1, 1, 1]);
  const later = run();
  ends[1]?.(2);
  expect(await later).toBe(2);
  expect(ends).toHaveLength(2);
});

it('shares a failure with the waiting callers, and does not cache it', async () => {
  let runs = 0;
  const run = shareWhileRunning(async () => {
    runs += 1;
    if (runs === 1) throw new Error('lost');
    return runs;
  });
  const callers = await Promise.allSettled([run(), run()]);
  expect(callers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await run()).toBe(2);
});
