import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNestedDeeper } from './json-depth.ts';

const depthOf = (value: unknown): number =>
  value && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it('gives the same result as a walk of the parsed value, for any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 6 }), (value, maxDepth) => {
      const text = Buffer.from(JSON.stringify(value, null, 1));
      expect(isNestedDeeper(text, maxDepth)).toBe(depthOf(value) > maxDepth);
    }),
  );
});

it.each([
  ['"[[[["', false],
  ['"\\"[[[["', false],
  ['["\\\\",[[]]]', true],
  ['[[]]', false],
  ['{"a":{"b":[]}}', true],
  ['', false],
])('%s is nested deeper than two: %s', (text, deeper) => {
  expect(isNestedDeeper(Buffer.from(text), 2)).toBe(deeper);
});

it('checks a megabyte of brackets without recursion', () => {
  expect(isNestedDeeper(Buffer.from('['.repeat(1_000_000)), 999_999)).toBe(true);
});
