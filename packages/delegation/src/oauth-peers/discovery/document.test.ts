import { expect, it } from '@jest/globals';
import { maxAgeOf } from './document.ts';

it.each([
  [null, 300],
  ['max-age=600', 600],
  ['public, max-age="900", immutable', 900],
  ['max-age=5', 60],
  ['max-age=0', 60],
  ['no-store', 60],
  ['max-age=900, no-cache', 60],
  ['max-age=99999999', 3600],
  ['s-maxage=900', 300],
  ['max-age=-1', 300],
])('keeps a document with Cache-Control %j for %i seconds', (header, seconds) => {
  expect(maxAgeOf(header)).toBe(seconds);
});
