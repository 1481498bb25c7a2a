import { expect, it } from '@jest/globals';
import { median, percentile } from './statistics.ts';

it.each([
  [[3], 3],
  [[3, 1], 2],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

it('interpolates percentiles, and sorts numbers as numbers', () => {
  const values = Array.from({ length: 101 }, (_, i) => 100 - i);
  expect(percentile(values, 0.99)).toBe(99);
  expect(percentile(values, 0)).toBe(0);
  expect(percentile(values, 1)).toBe(100);
  expect(percentile([10, 9, 100], 1)).toBe(100);
});

it('does not change the given values', () => {
  const values = [2, 1];
  median(values);
  expect(values).toEqual([2, 1]);
});

it('throws if there are no values', () => {
  expect(() => median([])).toThrow(RangeError);
});
