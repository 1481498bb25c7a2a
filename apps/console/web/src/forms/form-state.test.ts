import { describe, expect, it } from '@jest/globals';
import { placeErrors, withoutError } from './form-state.ts';
import { keysOf, pointerOf } from './pointer.ts';

const FIELDS = ['/name', '/resource_url', '/client/secret'];
const error = (pointer: string | undefined, detail = 'Wrong') => ({
  ...(pointer !== undefined && { pointer }),
  code: 'invalid',
  detail,
});

describe('placeErrors', () => {
  it('places an error at the field that its pointer names', () => {
    expect(placeErrors([error('/name')], FIELDS)).toEqual({
      fields: new Map([['/name', 'Wrong']]),
      rest: [],
    });
  });

  it('places an error within a value at the field of that value', () => {
    expect(placeErrors([error('/name/0/x')], FIELDS).fields.get('/name')).toBe('Wrong');
  });

  it('accepts pointers that begin with a number sign', () => {
    expect(placeErrors([error('#/client/secret')], FIELDS).fields.get('/client/secret')).toBe('Wrong');
  });

  it('keeps the first of two errors at one field', () => {
    expect(placeErrors([error('/name', 'One'), error('/name', 'Two')], FIELDS).fields.get('/name')).toBe(
      'One',
    );
  });

  it('keeps errors that belong to no field', () => {
    expect(placeErrors([error('/scopes/0'), error(undefined, 'All wrong')], FIELDS).rest).toEqual([
      '/scopes/0: Wrong',
      'All wrong',
    ]);
  });
});

it('escapes and unescapes special characters in a pointer', () => {
  const path = ['a/b', 'c~d', 0];
  expect(keysOf(pointerOf(path))).toEqual(['a/b', 'c~d', '0']);
});

describe('withoutError', () => {
  const errors = placeErrors([error('/name'), error('/resource_url'), error(undefined)], FIELDS);

  it('removes the error of the field that was edited, and keeps the others', () => {
    expect(withoutError(errors, '/name')).toEqual({
      fields: new Map([['/resource_url', 'Wrong']]),
      rest: ['Wrong'],
    });
  });
});
