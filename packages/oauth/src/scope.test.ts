import { expect, it } from '@jest/globals';
import { formatScope, isScopeToken, parseScope, ScopeToken } from './index.ts';

it.each([
  [undefined, []],
  ['', []],
  ['  ', []],
  ['mcp:tools:read', ['mcp:tools:read']],
  ['b a  b ', ['b', 'a']],
])('reads %j as %j', (scope, scopes) => {
  expect(parseScope(scope)).toEqual(scopes);
});

it.each(['a"b', 'a\\b', 'a\tb', 'ü', 'a\u0000', 'a'.repeat(256)])('refuses %j as malformed', (scope) => {
  expect(() => parseScope(scope)).toThrow('invalid_scope: malformed scope');
});

it.each([
  ['mcp:tools:read', true],
  ['!', true],
  ['a'.repeat(255), true],
  ['a'.repeat(256), false],
  ['', false],
  ['a b', false],
  ['a"', false],
  ['a\\', false],
  ['ü', false],
])('reports whether %j is a scope: %s', (text, expected) => {
  expect([isScopeToken(text), ScopeToken.safeParse(text).success]).toEqual([expected, expected]);
});

it('formats a parsed scope back to the same text', () => {
  expect(formatScope(parseScope('a b'))).toBe('a b');
});
