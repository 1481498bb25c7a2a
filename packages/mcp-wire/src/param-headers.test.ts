import { describe, expect, it } from '@jest/globals';
import { paramValuesOf, readParamHeaders } from './param-headers.ts';

const annotated = (schema: object) => ({ type: 'object', properties: { a: schema } });
const A = { type: 'string', 'x-mcp-header': 'A' };

describe('a tool may be offered', () => {
  it.each<[string, unknown, object[]]>([
    ['without a schema', undefined, []],
    ['without an annotation', { type: 'object', properties: { a: { type: 'string' } } }, []],
    ['with one', annotated(A), [{ name: 'A', path: ['a'] }]],
    [
      'with one further down',
      annotated({ type: 'object', properties: { b: { type: 'integer', 'x-mcp-header': 'B' } } }),
      [{ name: 'B', path: ['a', 'b'] }],
    ],
    [
      'with an argument of that name',
      { type: 'object', properties: { 'x-mcp-header': { type: 'number' } } },
      [],
    ],
    ['with data of that name', annotated({ type: 'object', default: { 'x-mcp-header': 7 } }), []],
  ])('%s', (_case, schema, declared) => {
    expect(readParamHeaders(schema)).toEqual(declared);
  });
});

describe('a tool must not be offered', () => {
  it.each<[string, object]>([
    ['with an annotation of all arguments', { type: 'object', 'x-mcp-header': 'A' }],
    ['with one of a number', annotated({ type: 'number', 'x-mcp-header': 'A' })],
    ['with one of an object', annotated({ type: 'object', 'x-mcp-header': 'A' })],
    ['with one of several types', annotated({ type: ['string', 'null'], 'x-mcp-header': 'A' })],
    ['with one without a type', annotated({ 'x-mcp-header': 'A' })],
    ['with an empty one', annotated({ ...A, 'x-mcp-header': '' })],
    ['with one that is no text', annotated({ ...A, 'x-mcp-header': 7 })],
    ['with one that ends the header', annotated({ ...A, 'x-mcp-header': 'A\r\nAuthorization' })],
    ['with one of blanks', annotated({ ...A, 'x-mcp-header': 'A B' })],
    ['with a very long one', annotated({ ...A, 'x-mcp-header': 'A'.repeat(129) })],
    [
      'with the same one twice',
      { type: 'object', properties: { a: A, b: { type: 'string', 'x-mcp-header': 'a' } } },
    ],
    ['with one in a list', annotated({ type: 'array', items: A })],
    ['with one in a list of schemas', annotated({ type: 'array', prefixItems: [A] })],
    ['with one in a choice', { type: 'object', anyOf: [annotated(A)] }],
    ['with one in a condition', { type: 'object', if: annotated(A) }],
    ['with one in a definition', { type: 'object', $defs: { a: A } }],
    ['with one of further arguments', { type: 'object', additionalProperties: A }],
    ['with one of arguments by pattern', { type: 'object', patternProperties: { '^a': A } }],
  ])('%s', (_case, schema) => {
    expect(readParamHeaders(schema)).toBeUndefined();
  });
});

it.each<[unknown, string[][]]>([
  ['x', [['mcp-param-region', 'x']]],
  ['Zürich', [['mcp-param-region', 'Zürich']]],
  ['a\r\nAuthorization: x', [['mcp-param-region', 'a\r\nAuthorization: x']]],
  [7, [['mcp-param-region', '7']]],
  [false, [['mcp-param-region', 'false']]],
  [null, []],
  [undefined, []],
  [1.5, []],
  [2 ** 60, []],
  [{ a: 1 }, []],
])('repeats the argument %j as %j', (value, headers) => {
  expect(paramValuesOf([{ name: 'Region', path: ['in', 'region'] }], { in: { region: value } })).toEqual(
    headers,
  );
});

it('returns no value for an argument that was not given', () => {
  expect(paramValuesOf([{ name: 'A', path: ['constructor', 'name'] }], {})).toEqual([]);
});
