import { expect, it } from '@jest/globals';
import { openBackend } from './index.ts';

const options = {
  clock: () => new Date(0),
  onError: (err: Error) => {
    throw err;
  },
};

it('keeps entries in the memory of the process if Redis is not configured', async () => {
  const one = await openBackend(undefined, options);
  const other = await openBackend(undefined, options);
  await one.backend.set('k', Buffer.from('v'), 60);
  expect(await one.backend.get('k')).toEqual(Buffer.from('v'));
  expect(await other.backend.get('k')).toBeUndefined();
  expect(one.redis).toBeUndefined();
});
