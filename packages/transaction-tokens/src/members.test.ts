import { expect, it } from '@jest/globals';
import { OAuthError } from '@legate/oauth';
import { readMembers } from './members.ts';

const ALLOWED = ['limit', 'search', 'toString'];
const read = (text: string | undefined) => readMembers('request_details', text, ALLOWED);

it('picks the permitted members of an object', () => {
  expect(read('{"limit":20,"search":"a b","other":1}')).toEqual({ limit: 20, search: 'a b' });
  expect(read('{"search":true}')).toEqual({ search: true });
});

it('ignores inherited members', () => {
  expect(read('{}')).toEqual({});
  expect(read(undefined)).toEqual({});
});

it('accepts 4096 characters, and 255 of them in one value', () => {
  const search = 'x'.repeat(255);
  expect(read(JSON.stringify({ search }))).toEqual({ search });
  const longest = `{"x":"${'x'.repeat(4088)}"}`;
  expect([longest.length, read(longest)]).toEqual([4096, {}]);
});

it.each([
  ['more than 4096 characters', `{"x":"${'x'.repeat(4089)}"}`, 'too long'],
  ['a value of 256 characters', `{"search":"${'x'.repeat(256)}"}`, 'search is not a short single value'],
  ['a list as a value', '{"search":["a"]}', 'search is not a short single value'],
  ['an object as a value', '{"search":{}}', 'search is not a short single value'],
  ['nothing as a value', '{"search":null}', 'search is not a short single value'],
  ['a token as a value', '{"search":"of eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."}', 'search looks like a token'],
  ['no JSON', 'limit=20', 'not a JSON object'],
  ['a list', '[1]', 'not a JSON object'],
  ['null', 'null', 'not a JSON object'],
  ['a number', '1', 'not a JSON object'],
  ['an empty text', '', 'not a JSON object'],
])('refuses %s', (_case, text, reason) => {
  expect(() => read(text)).toThrow(new OAuthError('invalid_request', `request_details: ${reason}`));
});
