import { expect, it } from '@jest/globals';
import { scopesOf } from './token-checks.ts';

it.each<[scope: string | undefined, asked: string[], scopes: string[] | undefined]>([
  [undefined, ['repo'], undefined],
  ['repo user', ['repo', 'user'], ['repo', 'user']],
  ['repo,user', ['repo', 'user'], ['repo', 'user']],
  ['repo, user', ['repo', 'user', 'gist'], ['repo', 'user']],
  ['repo,user', ['repo,user'], ['repo,user']], // a scope may contain a comma
  ['repo,admin', ['repo', 'user'], ['repo,admin']], // broader with either separator
  ['repo,user', [], ['repo,user']],
])('parses %j, if %j were requested, as %j', (scope, asked, scopes) => {
  expect(scopesOf(scope, asked)).toEqual(scopes);
});
