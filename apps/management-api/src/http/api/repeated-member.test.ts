import { expect, it } from '@jest/globals';
import { findRepeatedMember } from './repeated-member.ts';

it.each([
  ['{"name":"a","name":"b"}', 'name'],
  ['{"name":"a","n\\u0061me":"b"}', 'name'],
  ['{"a":[{"b":1,"c":{},"b" : 2}]}', 'b'],
  ['{"":1,"":2}', ''],
])('finds the repeated member in %s', (json, name) => {
  expect(findRepeatedMember(json)).toBe(name);
});

it.each([
  '{"a":"b","b":"a"}',
  '[{"a":1},{"a":2}]',
  '{"a":{"a":{"a":"a"}}}',
  '{"a":"a","b":["a","a"]}',
  '{"a":"\\":","b":"{\\"a\\":1,\\"a\\":2}"}',
  '"text"',
  '{"a":',
  '['.repeat(100_000),
])('finds no repeated member in %.60s', (json) => {
  expect(findRepeatedMember(json)).toBeUndefined();
});
