import { describe, expect, it } from '@jest/globals';
import { Problem } from '@legate/service';
import { parseToolCall, parseToolName } from './tool-call-route.ts';

const parse = (body: unknown) => parseToolCall(body, typeof body === 'object' ? JSON.stringify(body) : '');

function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (err) {
    if (err instanceof Problem) return err;
    throw err;
  }
  throw new Error('was accepted');
}

const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });

it.each([
  [{ arguments: { a: 1 } }, { a: 1 }],
  [{ arguments: {} }, {}],
  [{}, {}],
  [{ arguments: null }, {}],
  [undefined, {}],
])('reads the arguments in %j', (body, args) => {
  expect(parse(body)).toEqual({ value: args, json: JSON.stringify(args) });
});

describe('refuses', () => {
  it.each([
    ['a body that is an array', [], '', 'invalid_type'],
    ['a body that is a string', 'x', '', 'invalid_type'],
    ['arguments that are an array', { arguments: [] }, '/arguments', 'invalid_type'],
    ['arguments that are a string', { arguments: 'x' }, '/arguments', 'invalid_type'],
    ['an unknown member', { arguments: {}, 'a/b~c': 1 }, '/a~1b~0c', 'unknown_field'],
    ['arguments nested 65 deep', { arguments: nested(64) }, '/arguments', 'too_deep'],
    ['arguments nested 100 000 deep', { arguments: { a: deepArray(100_000) } }, '/arguments', 'too_deep'],
  ])('%s', (_case, body, pointer, code) => {
    const { status, errors } = problemOf(() => parseToolCall(body, ''));
    expect([status, errors]).toEqual([400, [expect.objectContaining({ pointer, code })]]);
  });

  it.each([['a'.repeat(129)], ['a\nb'], ['\u0000'], ['a\u007f']])('the name %j', (name) => {
    expect(problemOf(() => parseToolName(name))).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

it('accepts arguments nested 64 deep, and any printable name', () => {
  expect(parse({ arguments: nested(63) }).value).toEqual(nested(63));
  expect(parseToolName('größe.v2/x')).toBe('größe.v2/x');
});

function deepArray(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
