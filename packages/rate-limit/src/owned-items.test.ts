import { expect, it } from '@jest/globals';
import { createOwnedItems } from './owned-items.ts';

it('drops and returns the oldest item of the owner with the most items', () => {
  const items = createOwnedItems(3);
  expect(items.add(['a'], 'a1')).toEqual([]);
  items.add(['a'], 'a2');
  items.add(['b'], 'b1');
  expect(items.add(['b'], 'b2')).toEqual(['a1']);
  expect(['a1', 'a2', 'b1', 'b2'].map(items.has)).toEqual([false, true, true, true]);
});

it('chooses the owner with the most items at each level', () => {
  const items = createOwnedItems(4);
  items.add(['site', 'n1'], 'quiet');
  items.add(['site', 'n2'], 'busy1');
  items.add(['site', 'n2'], 'busy2');
  items.add(['other', 'n'], 'other');
  expect(items.add(['third', 'n'], 'new')).toEqual(['busy1']);
});

it('makes an item that is added again the newest of its owner', () => {
  const items = createOwnedItems(2);
  items.add(['a'], 'a1');
  items.add(['a'], 'a2');
  items.add(['a'], 'a1');
  expect(items.add(['b'], 'b1')).toEqual(['a2']);
});

it('has room for a new item after one is removed', () => {
  const items = createOwnedItems(1);
  items.add(['a'], 'a1');
  items.remove('a1');
  items.remove('a1');
  expect(items.add(['b'], 'b1')).toEqual([]);
});
