import { expect, it } from '@jest/globals';
import { readRetryAfter } from '../domain/outage.ts';
import { createPause } from './pause.ts';

it.each([
  [0, undefined, 0],
  [0.5, undefined, 100],
  [0.999, undefined, 199.8],
  [0.5, 2, 2100],
  [0, 1, 1000],
])('with chance %d and Retry-After %j it waits %d ms', async (chance, retryAfterSeconds, ms) => {
  const waited: number[] = [];
  await createPause({ random: () => chance, wait: async (each) => void waited.push(each) })(
    retryAfterSeconds,
  );
  expect(waited).toEqual([ms]);
});

it.each([
  ['3', 3],
  ['0', 0],
  ['86400', 60],
  ['-1', undefined],
  ['1.5', undefined],
  ['Sat, 01 Aug 2026 12:00:00 GMT', undefined],
  [null, undefined],
  [['3', '4'], undefined],
])('reads from Retry-After %j that it is %j seconds', (header, seconds) => {
  expect(readRetryAfter(header)).toBe(seconds);
});
