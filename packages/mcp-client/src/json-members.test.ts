import { describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { itemsOf, membersOf, repeatsName, writeObject } from './json-members.ts';

it.each<[string, string, [string, string][]]>([
  [
    'as they were written',
    '{"b":[1],"a" : 12345678901234567890 ,"c":"a"}',
    [
      ['b', '[1]'],
      ['a', '12345678901234567890'],
      ['c', '"a"'],
    ],
  ],
  ['whose names have escapes', '{"\\u0061":{"a":1e2}}', [['a', '{"a":1e2}']]],
  [
    'each name once, with the last value',
    '{"a":1,"b":2,"a":{"x":"}"}}',
    [
      ['a', '{"x":"}"}'],
      ['b', '2'],
    ],
  ],
  [
    'behind backslashes',
    '{"b":"\\\\","a":1.0}',
    [
      ['b', '"\\\\"'],
      ['a', '1.0'],
    ],
  ],
  [
    'by names that objects have anyway',
    '{"__proto__":-0,"constructor":null}',
    [
      ['__proto__', '-0'],
      ['constructor', 'null'],
    ],
  ],
  ['among blanks', '\r\n{\t"a"\n:\ttrue\n}\n', [['a', 'true']]],
  ['of an empty object', ' { } ', []],
  ['of what is no object', '[{"a":1}]', []],
  ['of a text', '"{\\"a\\":1}"', []],
])('finds members %s', (_case, json, expected) => {
  expect([...membersOf(json)]).toEqual(expected);
});

it('writes members exactly as they were read', () => {
  const json = '{"a\\"":1e400,"":{"b" : [ ]},"x/y.z-1_":1,"\\n":2,"é":3}';
  expect(writeObject(membersOf(json))).toBe(json);
  expect(writeObject([])).toBe('{}');
});

const anyJson = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t\r\n'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

it('finds the same members and items as JSON.parse', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), anyJson, { maxKeys: 4 }), (members) => {
      const json = writeObject(Object.entries(members));
      const found = [...membersOf(json)].map(([name, text]) => [name, JSON.parse(text)]);
      expect(Object.fromEntries(found)).toEqual(JSON.parse(json));
      expect(itemsOf(`[${Object.values(members).join(' ,')}\n]`)).toEqual(Object.values(members));
    }),
    runs(1000),
  );
});

describe('a name that occurs twice', () => {
  it.each([
    ['in the object itself', '{"a":1,"a":2}'],
    ['deep within', '{"b":[{"c":{"x":1,"y":[],"x":1}}]}'],
    ['with another spelling', '{"name":"safe","n\\u0061me":"evil"}'],
    ['of those that objects have anyway', '[{"__proto__":1,"__proto__":{}}]'],
  ])('is found %s', (_case, json) => {
    expect(repeatsName(json, JSON.parse(json))).toBe(true);
  });

  it.each([
    ['in two objects', '[{"a":1},{"a":{"a":"\\":a:"}}]'],
    ['as the item of an array', '["a","a",{"__proto__":{}}]'],
    ['in a text', '"{\\"a\\":1,\\"a\\":2}"'],
  ])('is not reported %s', (_case, json) => {
    expect(repeatsName(json, JSON.parse(json))).toBe(false);
  });

  it('is searched for at any nesting depth', () => {
    const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
    expect(repeatsName(deep, JSON.parse(deep))).toBe(false);
  });
});

it.each(['{"a"}"b"', '{"a":1 "b":2}', '{"a":1'])('refuses to split %j into members', (json) => {
  expect(() => membersOf(json)).toThrow('not JSON');
});

it.each(['[}', '[1 2]', '[1'])('refuses to split %j into items', (json) => {
  expect(() => itemsOf(json)).toThrow('not JSON');
});
