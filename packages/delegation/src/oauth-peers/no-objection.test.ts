import { expect, it } from '@jest/globals';
import { createTestClock } from '@legate/service/testing';
import { rememberNoObjection } from './no-objection.ts';

it('asks again after a minute, for another key, and after an objection', async () => {
  const clock = createTestClock();
  const objectionTo = rememberNoObjection<string>({ clock });
  const asked: string[] = [];
  const ask = (key: string, objection?: string) =>
    objectionTo([key], async () => {
      asked.push(key);
      return objection;
    });
  await ask('a');
  await ask('a');
  await ask('b', 'no');
  expect(await ask('b', 'no')).toBe('no');
  clock.advanceSeconds(60);
  await ask('a');
  expect(asked).toEqual(['a', 'b', 'b', 'a']);
});
