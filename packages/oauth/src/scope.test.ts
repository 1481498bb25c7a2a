import { expect, it } from '@jest/globals';
import { formatScope, parseScope } from './index.ts';

it.each([
  [undefined, []],
  ['', []],
  ['  ', []],
  ['mcp:tools:read', ['mcp:tools:read']],
  ['b a  b ', ['b', 'a']],
])('reads %j as %j', (scope, scopes) => {
  expect(parseScope(scope)).toEqual(scopes);
});

it.each(['a"b', 'a\\b', 'a\tb', 'ü', 'a\u0000'])('refuses %j as malformed', (scope) => {
  expect(() => parseScope(scope)).toThrow('invalid_scope: malformed scope');
});

it('writes what it reads', () => {
  expect(formatScope(parseScope('a b'))).toBe('a b');
});
