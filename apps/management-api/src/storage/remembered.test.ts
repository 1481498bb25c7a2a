import { expect, it } from '@jest/globals';
import { remember } from './remembered.ts';

const clock = () => new Date(1_790_000_000_000);

it('queries again after an invalidation', async () => {
  let value = 1;
  const remembered = remember({ load: async () => ({ value }), clock });
  await remembered.get('a');
  value = 2;
  expect(await remembered.get('a')).toEqual({ value: 1 });
  remembered.forget('a');
  expect(await remembered.get('a')).toEqual({ value: 2 });
});

it('does not cache a value that was read during an invalidation, and fails no request because of it', async () => {
  const answers: ((found: { value: number }) => void)[] = [];
  const load = () => new Promise<{ value: number }>((resolve) => answers.push(resolve));
  const remembered = remember({ load, clock });
  const before = remembered.get('a');
  remembered.forget('a');
  const after = remembered.get('a');
  answers[0]?.({ value: 1 });
  expect(await before).toEqual({ value: 1 });
  answers[1]?.({ value: 2 });
  expect(await after).toEqual({ value: 2 });
  expect(await remembered.get('a')).toEqual({ value: 2 });
});
