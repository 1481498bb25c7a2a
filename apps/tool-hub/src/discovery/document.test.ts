import { expect, it } from '@jest/globals';
import { maxAgeOf } from './document.ts';
import { isSameResource } from './protected-resource.ts';

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

it.each([
  ['https://a.example', 'https://a.example', true],
  ['https://a.example/', 'https://a.example', true],
  ['https://a.example/mcp/', 'https://a.example/mcp', false],
  ['https://A.example', 'https://a.example', false],
  ['https://a.example:443', 'https://a.example', false],
  ['https://a.example.evil.example', 'https://a.example', false],
])('takes resource %s for %s: %s', (given, configured, same) => {
  expect(isSameResource(given, configured)).toBe(same);
});
