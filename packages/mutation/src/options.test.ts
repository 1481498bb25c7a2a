import { expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

it('chooses a sample unless all or single mutants are requested', () => {
  expect(parseOptions([])?.count).toBe(320);
  expect(parseOptions(['--count', '10'])?.count).toBe(10);
  expect(parseOptions(['--all'])?.count).toBe(Number.POSITIVE_INFINITY);
  expect(parseOptions(['--id', 'a', '--id', 'b'])).toMatchObject({
    count: Number.POSITIVE_INFINITY,
    ids: ['a', 'b'],
  });
});

it('shows its help', () => {
  expect(parseOptions(['--help'])).toBeUndefined();
});

it.each([[['--count', 'many']], [['--workers', '0']], [['--unknown']], [['positional']]])(
  'refuses %j',
  (args) => {
    expect(() => parseOptions(args)).toThrow();
  },
);
