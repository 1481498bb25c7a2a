import { expect, it } from '@jest/globals';
import { createGivenUpNames } from './given-up-names.ts';

it('reports whether a name was given up since a call began', () => {
  const names = createGivenUpNames();
  const first = names.now();
  names.add('alice');
  const second = names.now();
  names.add('bob');
  expect([names.hasSince(first, ['carol', 'alice']), names.hasSince(first, ['carol'])]).toEqual([
    true,
    false,
  ]);
  expect([names.hasSince(second, ['alice']), names.hasSince(second, ['bob'])]).toEqual([false, true]);
  names.addAll();
  expect([names.hasSince(second, ['carol']), names.hasSince(names.now(), ['alice'])]).toEqual([true, false]);
});

it('reports a name as given up if its memory does not reach back far enough', () => {
  const names = createGivenUpNames(2);
  const first = names.now();
  for (const name of ['alice', 'bob', 'bob']) names.add(name);
  expect(names.hasSince(first, ['carol'])).toBe(false);
  const later = names.now();
  names.add('dan');
  expect([names.hasSince(first, ['carol']), names.hasSince(later, ['carol'])]).toEqual([true, false]);
});
