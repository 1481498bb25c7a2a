import { describe, expect, it } from '@jest/globals';
import { checkArguments, errorsOfObject, errorsWithin } from './check.ts';
import { fieldsOf, type Json } from './fields.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 2 },
    at: { type: 'object', properties: { hour: { type: 'integer', maximum: 23 } }, required: ['hour'] },
  },
  required: ['text'],
};
const check = (value: Json, schema: unknown = SCHEMA) =>
  checkArguments(schema, fieldsOf(schema), value, 'Missing');

it('accepts arguments that match the schema', () => {
  expect(check({ text: 'ok', at: { hour: 1 } }).size).toBe(0);
});

it.each([
  ['a required member that is absent', {}, '/text'],
  ['one within another', { text: 'ok', at: {} }, '/at/hour'],
])('places the error of %s at its field', (_case, value, pointer) => {
  expect(check(value)).toEqual(new Map([[pointer, 'Missing']]));
});

it.each([
  ['a text that is too short', { text: 'a' }, '/text'],
  ['a number that is too large', { text: 'ok', at: { hour: 24 } }, '/at/hour'],
  ['a text in the place of a number', { text: 'ok', at: { hour: 'x' } }, '/at/hour'],
])('finds %s', (_case, value, pointer) => {
  expect([...check(value).keys()]).toContain(pointer);
});

it.each([
  ['leads elsewhere', { type: 'object', properties: { a: { $ref: 'https://evil.example/x.json' } } }],
  ['has a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ['is none', 'schema'],
])('leaves the check to the tool server where the schema %s', (_case, schema) => {
  expect(check({ a: 'x' }, schema).size).toBe(0);
});

const laughs = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => {
    const next = { $ref: `#/$defs/d${i + 1}` };
    return [`d${i}`, i < 29 ? { allOf: [next, next] } : {}];
  }),
);

it.each([
  ['a pattern', { a: { type: 'string', pattern: '^(a+)+$' } }, {}],
  ['a pattern of names', { a: { patternProperties: { '^(a+)+$': { type: 'number' } } } }, {}],
  ['references that multiply', { a: { $ref: '#/$defs/d0' } }, laughs],
  ['references that multiply by anchors', { a: { $ref: '#d0' } }, { d0: { $anchor: 'd0' } }],
  ['a cycle', { a: { $ref: '#/$defs/c' } }, { c: { allOf: [{ $ref: '#/$defs/c' }] } }],
])('does not block the page because of %s', (_case, properties, $defs) => {
  const long = `${'a'.repeat(40)}!`;
  const schema = { type: 'object', properties, $defs };
  expect(check({ a: long }, schema).size).toBe(0);
  expect(
    check({ a: { [long]: 'x' } }, { ...schema, properties: { ...properties, b: {} } }).size,
  ).toBeLessThan(2);
});

it('removes patterns only where they are keywords', () => {
  const schema = {
    type: 'object',
    properties: {
      pattern: { type: 'string', minLength: 2, pattern: '^b' },
      kind: { const: { pattern: 'x' } },
      names: { patternProperties: { '^x': {} }, additionalProperties: false },
    },
  };
  expect([...check({ pattern: 'a', kind: { pattern: 'y' }, names: { x: 1 } }, schema).keys()]).toEqual([
    '/pattern',
    '/kind',
  ]);
});

it('finds a required member that is absent in an item of a list', () => {
  const items = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const schema = { type: 'object', properties: { all: { type: 'array', items } } };
  expect([...check({ all: [{}] }, schema).keys()]).toEqual(['/all/0']);
});

describe('an error without a control of its own', () => {
  const ERRORS = new Map([
    ['', 'Too few.'],
    ['/a', 'Wrong.'],
    ['/a/b', 'Short.'],
    ['/ab', 'Not allowed.'],
  ]);

  it('is shown at the control of the whole value, with its place', () => {
    expect(errorsWithin(ERRORS, '/a')).toBe('Wrong. “/b”: Short.');
    expect(errorsWithin(ERRORS, '/a/b/c')).toBeUndefined();
  });

  it('is shown at the object, if the form has no such member', () => {
    expect(errorsOfObject(ERRORS, '', [{ name: 'a' }])).toBe('Too few. “/ab”: Not allowed.');
    expect(errorsOfObject(ERRORS, '/a', [{ name: 'b' }])).toBe('Wrong.');
  });
});

it('places the error of a member that the schema forbids at that member', () => {
  expect([...check({ x: 1 }, { type: 'object', additionalProperties: false }).keys()]).toEqual(['/x']);
});
