import { expect, it } from '@jest/globals';
import { describeDifference } from './spelling.ts';

it.each([
  ['https://a.example/mcp', undefined],
  ['https://a.example/mcp/', 'it differs only by a trailing slash'],
  ['https://A.example/mcp', 'it differs only in upper and lower case'],
  ['https://A.example/mcp/', 'it differs by a trailing slash and in upper and lower case'],
  [
    'https://a.example:443/mcp',
    'it differs only in its spelling, such as a default port or an escaped character',
  ],
  ['http://a.example/mcp', 'it has http: instead of https:'],
  ['https://a.example/other', 'it has another path'],
  ['https://a.example:8443/mcp', 'it has another port'],
  ['https://b.example/mcp', 'it has another host'],
  ['a.example/mcp', 'it is not a URL'],
])('describes how %s differs from https://a.example/mcp', (given, difference) => {
  expect(describeDifference(given, 'https://a.example/mcp')).toBe(difference);
});
