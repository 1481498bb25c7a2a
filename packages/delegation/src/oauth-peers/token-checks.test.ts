import { expect, it } from '@jest/globals';
import { scopesOf } from './token-checks.ts';

it.each<[scope: string | undefined, asked: string[], scopes: string[] | undefined]>([
  [undefined, ['repo'], undefined],
  ['repo user', ['repo', 'user'], ['repo', 'user']],
  ['repo,user', ['repo', 'user'], ['repo', 'user']],
  ['repo, user', ['repo', 'user', 'gist'], ['repo', 'user']],
  ['repo,user', ['repo,user'], ['repo,user']], // a scope may have a comma of its own
  ['repo,admin', ['repo', 'user'], ['repo,admin']], // broader, whatever its form
  ['repo,user', [], ['repo,user']],
])('reads %j, where %j were asked for, as %j', (scope, asked, scopes) => {
  expect(scopesOf(scope, asked)).toEqual(scopes);
});
