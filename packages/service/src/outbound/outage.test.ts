import { expect, it } from '@jest/globals';
import { readRetryAfter } from './outage.ts';

it.each([
  ['3', 3],
  ['0', 0],
  ['86400', 60],
  ['-1', undefined],
  ['1.5', undefined],
  ['Sat, 01 Aug 2026 12:00:00 GMT', undefined],
  [null, undefined],
  [['3', '4'], undefined],
])('parses Retry-After %j as %j seconds', (header, seconds) => {
  expect(readRetryAfter(header)).toBe(seconds);
});
