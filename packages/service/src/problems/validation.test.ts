import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { type FieldProblem, Problem } from './problem.ts';
import { bodyProblems, NoQuery, parseBody, parseQuery, toPointer, validationFailed } from './validation.ts';

const Thing = z.strictObject({
  name: z.string().min(2).max(4),
  count: z.number().int().min(1).max(9).optional(),
  tags: z.array(z.string()).max(2).optional(),
  kind: z.enum(['a', 'b']).optional(),
  url: z.url().optional(),
  settings: z.strictObject({ 'a/b~c': z.boolean().optional() }).optional(),
  word: z
    .string()
    .refine((word) => word !== 'no', { error: 'Must be another word.', params: { code: 'word_taken' } })
    .optional(),
});

it.each<[string, unknown, Partial<FieldProblem>]>([
  ['a missing field', {}, { pointer: '/name', code: 'required', detail: 'Is required.' }],
  ['another type', { name: 1 }, { pointer: '/name', code: 'invalid_type', detail: 'Must be a string.' }],
  ['no object at all', [], { pointer: '', code: 'invalid_type', detail: 'Must be an object.' }],
  ['a text that is too short', { name: 'a' }, { pointer: '/name', code: 'too_short' }],
  ['a text that is too long', { name: 'abcde' }, { pointer: '/name', code: 'too_long' }],
  ['a number out of range', { name: 'ab', count: 0 }, { pointer: '/count', code: 'out_of_range' }],
  ['too many items', { name: 'ab', tags: ['1', '2', '3'] }, { pointer: '/tags', code: 'too_many_items' }],
  ['none of the values', { name: 'ab', kind: 'c' }, { code: 'invalid_enum', detail: 'Must be "a" or "b".' }],
  [
    'another format',
    { name: 'ab', url: 'x' },
    { code: 'invalid_format', detail: 'Must be an absolute URL.' },
  ],
  ['an unknown field', { name: 'ab', 'x/y': 1 }, { pointer: '/x~1y', code: 'unknown_field' }],
  [
    'an unknown field further down',
    { name: 'ab', settings: { z: 1 } },
    { pointer: '/settings/z', code: 'unknown_field' },
  ],
  ['a rule of its own', { name: 'ab', word: 'no' }, { pointer: '/word', code: 'word_taken' }],
])('returns a stable code and the place of %s', (_case, body, expected) => {
  expect(bodyProblems(Thing, body)).toEqual([expect.objectContaining(expected)]);
  expect(refusalOf(() => parseBody(Thing, body))).toMatchObject({
    status: 400,
    code: 'validation_failed',
    detail: '1 field is invalid.',
    errors: [expected],
  });
});

it('returns valid input and no fault', () => {
  expect([parseBody(Thing, { name: 'ab' }), bodyProblems(Thing, { name: 'ab' })]).toEqual([
    { name: 'ab' },
    [],
  ]);
});

it('names a query parameter instead of a pointer', () => {
  expect(refusalOf(() => parseQuery(NoQuery, { page: '2' }))).toMatchObject({
    errors: [{ parameter: 'page', code: 'unknown_field' }],
  });
});

it('allows a service to report some faults with its own code', () => {
  const refused = refusalOf(() =>
    parseQuery(NoQuery, { a: '1', b: '2' }, (errors) => validationFailed(errors.slice(1))),
  );
  expect(refused).toMatchObject({ errors: [{ parameter: 'b' }] });
});

it('escapes names in a JSON Pointer', () => {
  expect(toPointer(['a/b', 'c~d', 0])).toBe('/a~1b/c~0d/0');
});

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (err) {
    if (err instanceof Problem) return err;
    throw err;
  }
}
