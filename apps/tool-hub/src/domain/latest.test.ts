import { expect, it } from '@jest/globals';
import { createLatest } from './latest.ts';

it('drops the least recently used entry', () => {
  const latest = createLatest<number>(2);
  latest.set('a', 1);
  latest.set('b', 2);
  latest.get('a');
  latest.set('c', 3);
  expect([...latest.keys()].sort()).toEqual(['a', 'c']);
});

it('counts an entry once, however often it is set', () => {
  const latest = createLatest<number>(2);
  for (const value of [1, 2, 3]) latest.set('a', value);
  latest.set('b', 4);
  expect([latest.size, latest.get('a'), latest.get('b')]).toEqual([2, 3, 4]);
});
