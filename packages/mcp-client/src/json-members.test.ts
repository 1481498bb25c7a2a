import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spansOf } from './json-members.ts';

const valuesOf = (json: string, member: string) =>
  spansOf(json, member).map(({ start, end }) => json.slice(start, end));

it.each<[string, string, string[]]>([
  ['as it was written', '{"b":[1],"a" : 12345678901234567890 ,"c":"a"}', [' 12345678901234567890 ']],
  ['with its letters escaped', '{"\\u0061":{"a":1}}', ['{"a":1}']],
  ['each time', '{"a":1,"a":{"x":"}"}}', ['1', '{"x":"}"}']],
  ['not within other values', '{"b":{"a":1},"c":[{"a":2}],"d":"\\"a\\":3","e":"a"}', []],
  ['behind backslashes', '{"b":"\\\\","a":1}', ['1']],
  ['not in an empty object', ' {} ', []],
])('finds a member %s', (_case, json, expected) => {
  expect(valuesOf(json, 'a')).toEqual(expected);
});

it('finds what a parser finds', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, maxKeys: 4 });
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1), fc.nat(3), (value, indent, nth) => {
      const keys = Object.keys(value);
      const key = keys[nth % keys.length] ?? '';
      const [found, ...others] = valuesOf(JSON.stringify(value, null, indent), key);
      expect([JSON.parse(found ?? 'null'), others]).toEqual([JSON.parse(JSON.stringify(value[key])), []]);
    }),
  );
});
