import { describe, expect, it } from '@jest/globals';
import { createKnownParamHeaders, paramHeadersOf, readParamHeaders } from './param-headers.ts';

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

it.each<[unknown, string[]]>([
  ['x', ['mcp-param-region', 'x']],
  ['Zürich', ['mcp-param-region', '=?base64?WsO8cmljaA==?=']],
  ['a\r\nAuthorization: x', ['mcp-param-region', '=?base64?YQ0KQXV0aG9yaXphdGlvbjogeA==?=']],
  [7, ['mcp-param-region', '7']],
  [false, ['mcp-param-region', 'false']],
  [null, []],
  [undefined, []],
  [1.5, []],
  [2 ** 60, []],
  [{ a: 1 }, []],
])('repeats the argument %j as %j', (value, headers) => {
  expect(paramHeadersOf([{ name: 'Region', path: ['in', 'region'] }], { in: { region: value } })).toEqual(
    headers,
  );
});

it('takes nothing for an argument that was not given', () => {
  expect(paramHeadersOf([{ name: 'A', path: ['constructor', 'name'] }], {})).toEqual([]);
});

describe('the cache of tools that require headers', () => {
  const connector = { organizationId: 'org_acme', id: 'con_tools' };

  it('is not learned of names that are longer than any memory', () => {
    const known = createKnownParamHeaders();
    const path = ['x'.repeat(20_000)];
    known.learn(connector, 'deep', [{ name: 'A', path }]);
    known.learn(connector, 'x'.repeat(20_000), [{ name: 'A', path: ['a'] }]);
    expect([known.find(connector, 'deep'), known.find(connector, 'x'.repeat(20_000))]).toEqual([[], []]);
    known.learn(connector, 'usual', [{ name: 'A', path: ['a'] }]);
    expect(known.find(connector, 'usual')).toEqual([{ name: 'A', path: ['a'] }]);
  });

  it('uses no more memory than its limit, however many tools a server has', () => {
    const known = createKnownParamHeaders();
    const names = Array.from({ length: 2000 }, (_, index) => `${index}${'x'.repeat(8000)}`);
    for (const name of names) known.learn(connector, name, [{ name: 'A', path: ['a'] }]);
    const kept = names.filter((name) => known.find(connector, name).length > 0);
    expect(kept.length).toBeLessThan(1100);
    expect(kept.at(-1)).toBe(names.at(-1));
  });

  it('drops a tool that requires none any more', () => {
    const known = createKnownParamHeaders();
    known.learn(connector, 'tool', [{ name: 'A', path: ['a'] }]);
    known.learn(connector, 'tool', []);
    expect(known.find(connector, 'tool')).toEqual([]);
  });
});
