import { describe, expect, it } from '@jest/globals';
import { branchOf, type Field, fieldsOf, initialOf, type Json, present } from './fields.ts';

const of = (schema: unknown): Field => fieldsOf({ type: 'object', properties: { a: schema } });
const member = (schema: unknown): Field | undefined => {
  const field = of(schema);
  return field.kind === 'object' ? field.members[0]?.field : undefined;
};

describe('fieldsOf', () => {
  it.each([
    ['a string', { type: 'string' }, { kind: 'text', long: false }],
    ['a long string', { type: 'string', maxLength: 2000 }, { kind: 'text', long: true }],
    ['an enumeration', { enum: ['a', 1] }, { kind: 'options', options: ['a', 1] }],
    ['a constant', { const: 'a' }, { kind: 'options', options: ['a'] }],
    ['an integer', { type: 'integer' }, { kind: 'number', integer: true }],
    ['a list', { type: 'array', items: { type: 'boolean' } }, { kind: 'list', item: { kind: 'boolean' } }],
    [
      'a choice',
      { anyOf: [{ type: 'null' }, { type: 'number' }] },
      { kind: 'choice', branches: [{ kind: 'null' }, { kind: 'number' }] },
    ],
    [
      'several types',
      { type: ['string', 'null'] },
      { kind: 'choice', branches: [{ kind: 'text' }, { kind: 'null' }] },
    ],
  ])('creates a field for %s', (_case, schema, field) => {
    expect(member(schema)).toMatchObject(field);
  });

  it.each([
    ['allOf', { allOf: [{ type: 'string' }] }],
    ['a remote reference', { $ref: 'https://evil.example/schema.json' }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['a reference to a member of every object', { $ref: '#/$defs/__proto__' }],
    ['any object', { type: 'object' }],
    ['too many branches', { anyOf: Array.from({ length: 9 }, () => ({ type: 'string' })) }],
    ['no schema', 'string'],
  ])('leaves %s as a JSON field, in its place', (_case, schema) => {
    expect(member(schema)).toMatchObject({ kind: 'json' });
  });

  it('follows a reference within the schema', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'boolean' } },
    };
    expect(fieldsOf(schema)).toMatchObject({ members: [{ name: 'a', field: { kind: 'boolean' } }] });
  });

  it('ends a cycle of references', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const text = JSON.stringify(fieldsOf({ $ref: '#/$defs/node', $defs: { node } }));
    expect(text.match(/"next"/g)).toHaveLength(4);
    expect(text).toContain('"kind":"json"');
  });

  it.each([[{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }], [undefined], [null]])(
    'takes %j for JSON',
    (schema) => {
      expect(fieldsOf(schema)).toEqual({ kind: 'json' });
    },
  );

  it('returns no members for a tool without arguments', () => {
    expect(fieldsOf({ type: 'object', properties: {} })).toMatchObject({ kind: 'object', members: [] });
    expect(fieldsOf({ type: 'object' })).toMatchObject({ kind: 'object', members: [] });
  });
});

it('starts with only the required members', () => {
  const field = fieldsOf({
    type: 'object',
    properties: { a: { type: 'string' }, b: { const: 1 }, c: { type: 'array', items: {} } },
    required: ['a', 'b'],
  });
  expect(present(initialOf(field))).toEqual({ b: 1 });
});

it('omits absent members, and sends null if the reader has chosen it', () => {
  expect(present({ a: undefined, b: null, c: { d: undefined }, e: [] })).toEqual({ b: null, c: {}, e: [] });
});

describe('a malicious schema', () => {
  it('with a reference that cannot be decoded becomes a JSON field', () => {
    expect(fieldsOf({ $ref: '#/$defs/%E0', $defs: {} })).toEqual({ kind: 'json' });
  });

  it('that refers to one part in a thousand ways keeps the form small', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`p${at}`, { $ref: '#/$defs/all' }]),
    );
    const schema = { $ref: '#/$defs/all', $defs: { all: { type: 'object', properties } } };
    const count = (text: string) => text.split('"kind"').length - 1;
    expect(count(JSON.stringify(fieldsOf(schema)))).toBeLessThan(100_000);
  });

  it('with a member named __proto__ gets a field as for any other member', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(fieldsOf(schema)).toMatchObject({ members: [{ name: '__proto__', field: { kind: 'text' } }] });
    expect(Object.hasOwn({}, 'polluted')).toBe(false);
  });
});

describe('branchOf', () => {
  const choice = member({
    anyOf: [
      { type: 'object', properties: { kind: { const: 'a' }, size: { type: 'integer' } } },
      { type: 'object', properties: { kind: { const: 'b' } } },
      { enum: ['x', 'y'] },
      { type: 'array', items: { type: 'string' } },
      { type: ['string', 'null'] },
    ],
  });
  const branches = choice?.kind === 'choice' ? choice.branches : [];

  it.each<[string, Json | undefined, number]>([
    ['no value', undefined, -1],
    ['a value that no branch has', 7, -1],
    ['an object, by its constant', { kind: 'b' }, 1],
    ['an object that lacks a member', { size: 1 }, 0],
    ['one of the values of an enumeration', 'y', 2],
    ['a list', [], 3],
    ['a value of a nested choice', null, 4],
  ])('finds the branch of %s', (_case, value, at) => {
    expect(branchOf(branches, value)).toBe(at);
  });
});

it.each([
  ['true', true],
  ['a schema', { type: 'string' }],
])('shows arguments as JSON if all names are allowed by additionalProperties: %s', (_case, allowed) => {
  expect(fieldsOf({ type: 'object', additionalProperties: allowed })).toEqual({ kind: 'json' });
});
