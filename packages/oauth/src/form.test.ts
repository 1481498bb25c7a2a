import { expect, it } from '@jest/globals';
import { OAuthError, parseForm } from './index.ts';

const refusal = (act: () => unknown) => {
  try {
    return act();
  } catch (err) {
    return err instanceof OAuthError ? [err.code, err.status, err.reason] : err;
  }
};

it('reads percent-encoding and plus signs', () => {
  expect(parseForm('scope=a+b%20c&aud=https%3A%2F%2Fh').find('scope')).toBe('a b c');
});

it('counts an empty parameter as absent', () => {
  const form = parseForm('scope=&resource=&resource=x');
  expect(form.find('scope')).toBeUndefined();
  expect(form.all('resource')).toEqual(['x']);
  expect(refusal(() => form.require('scope'))).toEqual(['invalid_request', 400, 'missing: scope']);
});

it('refuses to read a repeated parameter as a single one, even if one value is empty or both are equal', () => {
  for (const body of ['a=1&a=2', 'a=1&a=1', 'a=&a=1']) {
    expect(refusal(() => parseForm(body).find('a'))).toEqual(['invalid_request', 400, 'repeated: a']);
    expect(refusal(() => parseForm(body).require('a'))).toEqual(['invalid_request', 400, 'repeated: a']);
  }
});

it('refuses any repeated parameter that is not allowed, without quoting its untrusted name', () => {
  const form = parseForm('resource=a&resource=b&x-evil=1&x-evil=2');
  expect(refusal(() => form.refuseRepeated(['resource', 'x-evil']))).toBeUndefined();
  expect(refusal(() => form.refuseRepeated(['resource']))).toEqual([
    'invalid_request',
    400,
    'repeated parameter',
  ]);
});

it('accepts input that is not a form', () => {
  for (const body of ['', '&&&', '%', '%zz=%', '{"a":1}', '='.repeat(1000), 'a=%ff']) {
    expect(parseForm(body).find('grant_type')).toBeUndefined();
  }
});
