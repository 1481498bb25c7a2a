import { expect, it } from '@jest/globals';
import { createPause } from './pause.ts';

it.each([
  [0, undefined, 0],
  [0.5, undefined, 100],
  [0.999, undefined, 199.8],
  [0.5, 2, 2100],
  [0, 1, 1000],
])('with random value %d and Retry-After %j it waits %d ms', async (chance, retryAfterSeconds, ms) => {
  const waited: number[] = [];
  await createPause({ random: () => chance, wait: async (each) => void waited.push(each) })(
    retryAfterSeconds,
  );
  expect(waited).toEqual([ms]);
});
